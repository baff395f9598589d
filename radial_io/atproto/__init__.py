"""Talking to atproto servers: guarded addresses, XRPC requests, identities."""
