"""The lexicon documents as literals, sorted by id. Made by tools/embed_lexicons.py: change the documents."""

# ruff: noqa: E501

from typing import Any, Final

DOCUMENTS: Final[tuple[dict[str, Any], ...]] = (
    {
        "lexicon": 1,
        "id": "com.atproto.repo.strongRef",
        "description": "A reference to one version of a record. The lexicon belongs to the atproto project; this file states the same contract in our own words, so that the others here can be read without it.",
        "defs": {
            "main": {
                "type": "object",
                "required": [
                    "uri",
                    "cid",
                ],
                "properties": {
                    "uri": {
                        "type": "string",
                        "description": "The record, as at://, the DID of its repo, its collection and its record key. References resolve by this alone (L4).",
                        "format": "at-uri",
                    },
                    "cid": {
                        "type": "string",
                        "description": "The CID of the version that the writer saw. It pins what was meant and never detaches the reference (L4).",
                        "format": "cid",
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.addMember",
        "defs": {
            "main": {
                "type": "record",
                "description": "Grants membership. Grants and removals of one space form a log, folded by createdAt, then by URI (T2). A grant has effect if its author is root or holds a current grant with the role admin at that point of the log; otherwise it is ignored (T2). It replaces any earlier grant of the same DID, which is how a role changes (T3). A grant for root is ignored (T1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "did",
                        "kind",
                        "role",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "did": {
                            "type": "string",
                            "description": "The DID that becomes a member.",
                            "format": "did",
                        },
                        "kind": {
                            "type": "string",
                            "description": "Whether the member is a person or a program. A question on a request without assignee counts as one only from a member of kind agent (R6). Closed: no other word is valid.",
                            "enum": [
                                "human",
                                "agent",
                            ],
                        },
                        "role": {
                            "type": "string",
                            "description": "What the member may do. admin: may also add and remove members (T2) and write the records that are read from admins alone (T8). member and agent do not differ in what they may do. Closed: no other word is valid.",
                            "enum": [
                                "admin",
                                "member",
                                "agent",
                            ],
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the grant in the membership log; the member is in since then. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.agent",
        "defs": {
            "main": {
                "type": "record",
                "description": "A profile of an agent: what it runs and which requests it can take. The record key is the name of the profile; one DID may have several. Written by the agent's own account, it belongs to every space in which its author is a member, and is ignored when there is none (T7, T5). Profiles are meant to be rewritten: the latest version counts as a whole (V2). Deleting the record retires the profile (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "handleName",
                        "harness",
                        "models",
                        "artifactTypes",
                        "createdAt",
                    ],
                    "properties": {
                        "handleName": {
                            "type": "string",
                            "description": "The name by which people call the agent. Free text, not checked against its handle.",
                        },
                        "harness": {
                            "type": "string",
                            "description": "The program that runs the agent's turns. An open vocabulary: any text is valid, and nothing branches on it.",
                            "knownValues": [
                                "claude-code",
                                "codex",
                                "pi",
                                "command",
                            ],
                        },
                        "models": {
                            "type": "array",
                            "description": "The models that the profile may use.",
                            "items": {
                                "type": "ref",
                                "ref": "#model",
                            },
                        },
                        "artifactTypes": {
                            "type": "array",
                            "description": "What the profile can be asked for: names of artifact types, and review or answer (M5).",
                            "items": {
                                "type": "string",
                            },
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When this profile was written. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
            "model": {
                "type": "object",
                "description": "One model of a profile.",
                "required": [
                    "name",
                ],
                "properties": {
                    "name": {
                        "type": "string",
                        "description": "The model, as its provider spells it.",
                    },
                    "costHint": {
                        "type": "string",
                        "description": "What a turn with it costs, roughly. An open vocabulary: any text is valid, and nothing branches on it.",
                        "knownValues": [
                            "low",
                            "medium",
                            "high",
                        ],
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.archiveGoal",
        "defs": {
            "main": {
                "type": "record",
                "description": "Legacy: read for ever, never written. Puts a goal away, or brings it back, by any member; the latest among the archiveGoals of the goal wins (G2). true reads as ended with the disposition parked. An un-archive cancels only an archive, never a closure (G3). Write a closeGoal with the disposition parked instead.",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "goal",
                        "archived",
                        "createdAt",
                    ],
                    "properties": {
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that is put away or brought back. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "archived": {
                            "type": "boolean",
                            "description": "true puts it away, false brings it back.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which of these records is the latest (P3), and its order against closeGoals (G3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.archiveProject",
        "defs": {
            "main": {
                "type": "record",
                "description": "Puts a project away, or brings it back. By the author of the project, else ignored; the latest wins (P1, P3). Requests of an archived project, and of its goals, are not dispatchable; records are still taken (R5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "project",
                        "archived",
                        "createdAt",
                    ],
                    "properties": {
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project that is put away or brought back. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "archived": {
                            "type": "boolean",
                            "description": "true puts it away, false brings it back.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which of these records is the latest (P3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.artifact",
        "defs": {
            "main": {
                "type": "record",
                "description": "A piece of work: a plan, an implementation, or whatever a space defines. By any member. It answers the request it names when anchor and type are the same (R2); if that request is known and has another anchor or another type, or asks for a review or an answer, the artifact is ignored (R2). Versions form a chain through prev; the last by createdAt, then URI, is current (X2). Beyond the lexicon: exactly one of goal and project must be there (L1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "request",
                        "type",
                        "body",
                        "createdAt",
                    ],
                    "properties": {
                        "request": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The request that this artifact answers. No anchor: while the request is unknown the artifact counts and the reference is marked as not resolved (L5); its collection is not checked.",
                        },
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that the work serves. Either this or project; the same as in the request (R2). The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project that the work serves. Either this or goal; the same as in the request (R2). The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "type": {
                            "type": "string",
                            "description": "The name of the artifact type; the same as in the request (R2).",
                        },
                        "prev": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The version that this one supersedes. Followed only to an artifact of the same anchor and type (X2); otherwise kept and marked as not resolved (L5).",
                        },
                        "title": {
                            "type": "string",
                            "description": "One line for lists. Optional here so that old records stay valid; every writer must give it.",
                        },
                        "body": {
                            "type": "string",
                            "description": "The work itself, or its description, in Markdown.",
                        },
                        "bodyBlob": {
                            "type": "blob",
                            "description": "The body as a file, when it is too long for a record. Any type, any size that the host allows; body then holds a summary.",
                        },
                        "links": {
                            "type": "ref",
                            "ref": "#links",
                            "description": "Where the code is, for work that lives in git.",
                        },
                        "criteria": {
                            "type": "array",
                            "description": "What a person should look at in order to judge the work, one point each. For plans, as a rule. Not the checks of a project, which machines run.",
                            "items": {
                                "type": "string",
                            },
                        },
                        "model": {
                            "type": "string",
                            "description": "The model that did the work, as the writer observed it. Shown and attributed, never inferred, never checked (N3). Leave it out when it is not known.",
                        },
                        "claim": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The claim under which the turn ran that wrote this record. Observers say whether an earlier claim overlapped it; such work is flagged and kept (C7). No anchor: it never keeps the record out.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the artifact among the versions of its chain (X2). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
            "links": {
                "type": "object",
                "description": "Where the code of an artifact is. Each part alone is useful.",
                "properties": {
                    "branch": {
                        "type": "string",
                        "description": "The branch that holds the work, without refs/heads/.",
                    },
                    "commit": {
                        "type": "string",
                        "description": "The commit that holds the work: its full hash.",
                    },
                    "pr": {
                        "type": "string",
                        "description": "The pull request. Any URI, an at-URI too: on some forges a pull request is a record.",
                        "format": "uri",
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.artifactRequest",
        "defs": {
            "main": {
                "type": "record",
                "description": "Asks for an artifact, for a review of one, or for an answer to a message. By any member, people and agents alike (R7). Open while it is neither fulfilled (R2) nor retracted (R3) nor declined by its assignee (R4); dispatchable while also its goal is not ended and its project not archived (R5). Beyond the lexicon: exactly one of goal and project must be there (L1). A request of type review without subject, and one of type answer without subject, goal and assignee, is ignored (R1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "type",
                        "createdAt",
                    ],
                    "properties": {
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that is served. Either this or project. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project that is served. Either this or goal. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "type": {
                            "type": "string",
                            "description": "What is asked for: review (a review of subject), answer (a message that answers subject), or the name of an artifact type of the space. A type that nobody registered is valid and marked typeKnown false (A3).",
                        },
                        "subject": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "What the request is about. Beyond the lexicon, when type is review: the URI must name a record of the collection com.disnetdev.radial.artifact; when type is answer: of com.disnetdev.radial.message; for every other type any record (L1). No anchor: a subject that is unknown is kept and marked as not resolved (L5).",
                        },
                        "basedOn": {
                            "type": "array",
                            "description": "Records that the work should build upon: where it comes from (N1). Kept as written even where they are unknown (L5).",
                            "items": {
                                "type": "ref",
                                "ref": "com.atproto.repo.strongRef",
                            },
                        },
                        "assignee": {
                            "type": "string",
                            "description": "The only DID that may fulfil or decline the request as its assignee. Left out: any agent that is able to may claim it (C1).",
                            "format": "did",
                        },
                        "brief": {
                            "type": "string",
                            "description": "What the asker adds to the brief of the type, in Markdown.",
                        },
                        "autoReview": {
                            "type": "boolean",
                            "description": "Whether the artifact that answers this request is reviewed without anybody asking. Overrides the setting of the project; left out: the project decides (R8).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the request was made. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.artifactType",
        "defs": {
            "main": {
                "type": "record",
                "description": "Defines a type of artifact for a space: data, not protocol. By an admin, else ignored (A2). Of several with one name the latest wins (A2, P3). plan and implementation exist without one and may be defined anew; review and answer are kinds of request, not types, and a definition of either is ignored (A1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "name",
                        "brief",
                        "outputSpec",
                        "scope",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "name": {
                            "type": "string",
                            "description": "The word that requests and artifacts carry in their field type. Compared exactly.",
                        },
                        "brief": {
                            "type": "string",
                            "description": "What an agent is told to do for a request of this type, in Markdown. A request may add its own brief.",
                        },
                        "outputSpec": {
                            "type": "string",
                            "description": "What the artifact must look like, in Markdown.",
                        },
                        "scope": {
                            "type": "string",
                            "description": "Where artifacts of this type live: under a goal, or under the project as one of its system artifacts (X6). A request whose anchor does not fit is still a request, marked scopeFits false (A3). Closed: no other word is valid.",
                            "enum": [
                                "goal",
                                "project",
                            ],
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which definition of a name is the latest (P3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.blessComment",
        "defs": {
            "main": {
                "type": "record",
                "description": "Brings the words of somebody who is no member into a space: a member vouches for a copy. By any member. The view shows the copy with both DIDs, apart from the threads, and it stands whatever its guest later becomes (M2).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "goal",
                        "comment",
                        "body",
                        "createdAt",
                    ],
                    "properties": {
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that the comment is about. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "comment": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The guest's own record. It is not fetched and need not resolve: the copy in body is what counts. Beyond the lexicon: the authority of the URI must be a DID, the guest's; the collection may be any (L1).",
                        },
                        "body": {
                            "type": "string",
                            "description": "The words of the guest, copied exactly as they were at the version that the CID of comment pins.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the comment was blessed. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.checkrun",
        "defs": {
            "main": {
                "type": "record",
                "description": "What the checks of a project said about one commit of an artifact. By any member. It passed when there is at least one result and every result passes (X4).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "artifact",
                        "commit",
                        "results",
                        "createdAt",
                    ],
                    "properties": {
                        "artifact": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The artifact that was checked. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifact (L1).",
                        },
                        "commit": {
                            "type": "string",
                            "description": "The commit that was checked: its full hash.",
                        },
                        "results": {
                            "type": "array",
                            "description": "One result for each check that was run. An empty list has not passed (X4).",
                            "items": {
                                "type": "ref",
                                "ref": "#result",
                            },
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the checks had been run. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
            "result": {
                "type": "object",
                "description": "The result of one check.",
                "required": [
                    "name",
                    "pass",
                ],
                "properties": {
                    "name": {
                        "type": "string",
                        "description": "The name of the check, as in the project.",
                    },
                    "pass": {
                        "type": "boolean",
                        "description": "Whether the check passed.",
                    },
                    "log": {
                        "type": "string",
                        "description": "What the check printed; as a rule the last part of it.",
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.claim",
        "defs": {
            "main": {
                "type": "record",
                "description": "A lease on a request without assignee: the writer is at work on it. On a request that names an assignee it is ignored (C1). Claims of a request are ranked by createdAt, then by URI; the first live one holds the request (C3, C4). The contract, which every version must keep: renewedAt is not before createdAt; expiresAt is after renewedAt, at most 1 hour after it, and at most 24 hours after createdAt (C2). A claim none of whose versions keeps it is ignored (C2). Renew by rewriting the record with renewedAt and expiresAt moved together, request and createdAt unchanged: of the versions in contract the one with the greatest expiresAt counts (V3). Release by deleting the record, and never write at its URI again (V5, C6).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "request",
                        "expiresAt",
                        "createdAt",
                    ],
                    "properties": {
                        "request": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The request that is worked on. Frozen by the first version: a version that names another is a rejected edit (V3). The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifactRequest (L1).",
                        },
                        "renewedAt": {
                            "type": "string",
                            "description": "When this version was written, by the same clock as expiresAt. Left out: createdAt (C1). An atproto datetime (L2).",
                            "format": "datetime",
                        },
                        "expiresAt": {
                            "type": "string",
                            "description": "When the lease ends by the writer's own clock. Nobody compares it with another clock: every observer honours the duration from renewedAt to expiresAt, counted from the moment it first stored this version (C4). An atproto datetime (L2).",
                            "format": "datetime",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the claim in the ranking (C3). Frozen by the first version (V3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.closeGoal",
        "defs": {
            "main": {
                "type": "record",
                "description": "Ends a goal, or opens it again. By any member; the record with the latest createdAt, then the greatest URI, decides (G1, P3). A goal has one ending: a closeGoal stands above the legacy ways of ending it (G3). Requests of an ended goal are not dispatchable; records are still taken (R5). A merged pull request never ends a goal (G4).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "goal",
                        "closed",
                        "createdAt",
                    ],
                    "properties": {
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that ends or opens again. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "closed": {
                            "type": "boolean",
                            "description": "true ends the goal, false opens it again.",
                        },
                        "disposition": {
                            "type": "string",
                            "description": "How the goal ended, in one word. An open vocabulary: any text is valid, and nothing branches on it (G1). Means nothing when closed is false.",
                            "knownValues": [
                                "completed",
                                "dropped",
                                "superseded",
                                "parked",
                            ],
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which of these records is the latest (P3), and tells when the goal ended. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.editProject",
        "defs": {
            "main": {
                "type": "record",
                "description": "Changes what a project is called or where it lives. By the author of the project, else ignored (P1). Every field is decided by itself: of the edits that name it the one with the latest createdAt, then the greatest URI, wins; so an edit that names only name cannot undo another's gitUrl (P1, P3). Beyond the lexicon: at least one of name, gitUrl and defaultBranch must be there (L1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "project",
                        "createdAt",
                    ],
                    "properties": {
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project that is edited. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "name": {
                            "type": "string",
                            "description": "The new name. Left out: no say about the name.",
                        },
                        "gitUrl": {
                            "type": "string",
                            "description": "The new place to clone from, as in project. Left out: no say about it.",
                            "format": "uri",
                        },
                        "defaultBranch": {
                            "type": "string",
                            "description": "The new default branch. Left out: no say about it.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which edit of a field is the latest (P3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.goal",
        "defs": {
            "main": {
                "type": "record",
                "description": "Something that a space wants to have done in one of its projects, by any member. The earliest version counts (V1); its one ending is told by closeGoal records (G3). It cannot be deleted (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "project",
                        "title",
                        "body",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1). The goal is placed by its space and its project: a project of another space keeps the goal out (T7).",
                        },
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project in which the work is done. A second anchor: while it is unknown or does not count, neither does the goal (L5); if it belongs to another space, never (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "title": {
                            "type": "string",
                            "description": "One line that says what is wanted. Free text.",
                        },
                        "body": {
                            "type": "string",
                            "description": "What is wanted and why, in Markdown.",
                        },
                        "closed": {
                            "type": "boolean",
                            "description": "Legacy: read for ever, never written. Of the versions that differ from the first in this field alone, the latest supplies it (V4); true reads as ended with the disposition completed, unless a closeGoal or archiveGoal says otherwise (G2, G3). Write a closeGoal instead.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the goal was set. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.image",
        "defs": {
            "main": {
                "type": "record",
                "description": "A picture that a body refers to by URI. For display alone: no view but the list of images changes with it, and no digest (M4). It belongs to every space in which its author is a member, and is ignored when there is none (T7, T5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "blob",
                        "createdAt",
                    ],
                    "properties": {
                        "blob": {
                            "type": "blob",
                            "accept": [
                                "image/png",
                                "image/jpeg",
                                "image/webp",
                                "image/gif",
                            ],
                            "maxSize": 10000000,
                            "description": "The picture: PNG, JPEG, WebP or GIF, at most 10,000,000 bytes. Types are compared exactly, in lower case. SVG is refused: it can carry programs. Validators that do not look into blobs must check type and size themselves (L1).",
                        },
                        "alt": {
                            "type": "string",
                            "description": "What the picture shows, for those who do not see it.",
                        },
                        "name": {
                            "type": "string",
                            "description": "The name of the file.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the picture was added. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.join",
        "defs": {
            "main": {
                "type": "record",
                "description": "A bookmark in a member's own repo, so that its tools find the space again. It grants nothing. From a member it sets joined on that member; from anybody else it is ignored (T6, T5). Deleting it leaves the space (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the member first opened the space. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.merge",
        "defs": {
            "main": {
                "type": "record",
                "description": "Says that the pull request of an artifact was seen merged on its forge. By any member. The artifact is then shown as merged; the goal does not end by it (X5, G4). Of several the first by createdAt, then URI, is shown.",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "artifact",
                        "pr",
                        "createdAt",
                    ],
                    "properties": {
                        "artifact": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The artifact whose work was merged. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifact (L1).",
                        },
                        "pr": {
                            "type": "string",
                            "description": "The pull request. Any URI, an at-URI too.",
                            "format": "uri",
                        },
                        "commit": {
                            "type": "string",
                            "description": "The commit that the merge made: its full hash.",
                        },
                        "mergedAt": {
                            "type": "string",
                            "description": "When the forge says it was merged. Left out: createdAt stands for it. The staleness of system artifacts is counted by it (X6). An atproto datetime (L2).",
                            "format": "datetime",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the merge was observed. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.message",
        "defs": {
            "main": {
                "type": "record",
                "description": "Something said about a goal or about an artifact. By any member. Messages of one anchor form threads by parent (M1). Beyond the lexicon: exactly one of goal and artifact must be there (L1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "body",
                        "createdAt",
                    ],
                    "properties": {
                        "goal": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The goal that is talked about. Either this or artifact. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.goal (L1).",
                        },
                        "artifact": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The artifact that is talked about. Either this or goal. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifact (L1).",
                        },
                        "root": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The first message of the thread, for readers who want to fetch it in one step. The thread itself follows parent (M1).",
                        },
                        "parent": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The message that this one answers. Under the same anchor; one that is missing, foreign or on a cycle makes this a message of the top level, marked as not resolved (M1).",
                        },
                        "body": {
                            "type": "string",
                            "description": "What is said, in Markdown.",
                        },
                        "mentions": {
                            "type": "array",
                            "description": "The DIDs that are spoken to. A mention starts nothing (M1).",
                            "items": {
                                "type": "string",
                                "format": "did",
                            },
                        },
                        "re": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The request that this message is about: any request of the space, also one anchored elsewhere (M1). With it a message may answer (R2), decline (R4) or ask (R6).",
                        },
                        "declines": {
                            "type": "boolean",
                            "description": "true, together with re, from the assignee of that request: the request is declined (R4). From anybody else it has no effect.",
                        },
                        "model": {
                            "type": "string",
                            "description": "The model that did the work, as the writer observed it. Shown and attributed, never inferred, never checked (N3). Leave it out when it is not known.",
                        },
                        "claim": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The claim under which the turn ran that wrote this record. Observers say whether an earlier claim overlapped it; such work is flagged and kept (C7). No anchor: it never keeps the record out.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the message among its siblings (M1). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.project",
        "defs": {
            "main": {
                "type": "record",
                "description": "A code base that the space works on, by any member. Its author alone may rename, move or archive it (editProject, archiveProject); name, gitUrl and defaultBranch are read through those edits, field by field (P1). The earliest version counts (V1) and the project cannot be deleted (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "name",
                        "gitUrl",
                        "defaultBranch",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "name": {
                            "type": "string",
                            "description": "What the project is called. Free text; editProject may change it (P1).",
                        },
                        "gitUrl": {
                            "type": "string",
                            "description": "Where the repository is cloned from: a URI with a scheme, such as https://host/path or ssh://git@host/path. The scp spelling git@host:path is no URI. editProject may change it (P1).",
                            "format": "uri",
                        },
                        "defaultBranch": {
                            "type": "string",
                            "description": "The branch that work starts from and is merged into, without refs/heads/. editProject may change it (P1).",
                        },
                        "checks": {
                            "type": "array",
                            "description": "Commands that judge a commit of this project. Fixed when the project is made (P1).",
                            "items": {
                                "type": "ref",
                                "ref": "#check",
                            },
                        },
                        "autoReview": {
                            "type": "unknown",
                            "description": "Whether a new artifact of a type is reviewed without anybody asking: an object whose keys are names of artifact types and whose values are booleans, for example {plan: false, implementation: true}. A type that is not named is not reviewed. setAutoReview overrides it type by type (P2), and a request for itself (R8). Lexicons have no maps, so its type here is unknown. Beyond the lexicon: every value must be a boolean (L1).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the project was made. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
            "check": {
                "type": "object",
                "description": "One check of a project.",
                "required": [
                    "name",
                    "command",
                ],
                "properties": {
                    "name": {
                        "type": "string",
                        "description": "What the check is called; a checkrun reports its result under this name.",
                    },
                    "command": {
                        "type": "string",
                        "description": "The shell command that is run at the root of a checkout. Exit status 0 passes.",
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.removeMember",
        "defs": {
            "main": {
                "type": "record",
                "description": "Revokes one exact grant. It has effect under the rule of addMember (T2), and only if the grant it names is the current grant of that DID; naming another has no effect and the removal is ignored (T4). Except: a removal by root that names any effective grant of the DID earlier in the log clears the current one, unless root made that current one itself (T4). All records of a DID without a current grant stop to count, whatever their date, until it is added again (T5). A removal of root is ignored (T1). Deleting this record restores nobody (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "did",
                        "membership",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "did": {
                            "type": "string",
                            "description": "The DID that is removed.",
                            "format": "did",
                        },
                        "membership": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The addMember record that made the grant. Its URI is compared with that of the current grant and never resolved (T4); its collection is not checked.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the removal in the membership log. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.retractBless",
        "defs": {
            "main": {
                "type": "record",
                "description": "Withdraws a blessing. By its author or an admin, else ignored (M2). The copy then leaves the view of guests; the record of the blessing stays.",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "bless",
                        "createdAt",
                    ],
                    "properties": {
                        "bless": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The blessing that is withdrawn. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.blessComment (L1).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When it was withdrawn. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.retractRequest",
        "defs": {
            "main": {
                "type": "record",
                "description": "Takes a request back. By the author of the request or an admin, else ignored (R3). A retracted request is not open (R5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "request",
                        "createdAt",
                    ],
                    "properties": {
                        "request": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The request that is taken back. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifactRequest (L1).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the request was taken back. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.review",
        "defs": {
            "main": {
                "type": "record",
                "description": "A verdict on one exact version of an artifact, by any member. It never gates anything (X3). It may stand without a request. If the request that it names is known, that must be a request of type review for this very subject, else the review is ignored (R2). A review is a judgement; a type of artifact that happens to be called review is not possible (A1).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "subject",
                        "verdict",
                        "createdAt",
                    ],
                    "properties": {
                        "subject": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The artifact that is judged. The CID pins the version that was read (L4). The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.artifact (L1).",
                        },
                        "request": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The review request that this review answers, if there is one. No anchor: kept and marked while it is unknown (L5); its collection is not checked.",
                        },
                        "verdict": {
                            "type": "string",
                            "description": "The judgement. Closed: no other word is valid.",
                            "enum": [
                                "approve",
                                "request_changes",
                            ],
                        },
                        "findings": {
                            "type": "array",
                            "description": "What was found, in the order in which to read it.",
                            "items": {
                                "type": "ref",
                                "ref": "#finding",
                            },
                        },
                        "model": {
                            "type": "string",
                            "description": "The model that did the work, as the writer observed it. Shown and attributed, never inferred, never checked (N3). Leave it out when it is not known.",
                        },
                        "claim": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The claim under which the turn ran that wrote this record. Observers say whether an earlier claim overlapped it; such work is flagged and kept (C7). No anchor: it never keeps the record out.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "The place of the review among those of its subject (X3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
            "finding": {
                "type": "object",
                "description": "One thing that a reviewer found. Further fields are welcome: readers keep what they do not know.",
                "required": [
                    "severity",
                    "body",
                ],
                "properties": {
                    "path": {
                        "type": "string",
                        "description": "The file, as a path from the root of the repository. Left out: the finding is about the whole.",
                    },
                    "line": {
                        "type": "integer",
                        "minimum": 1,
                        "description": "The line in that file, counted from 1.",
                    },
                    "severity": {
                        "type": "string",
                        "description": "How much it matters, in one word. An open vocabulary: any text is valid, and nothing branches on it.",
                        "knownValues": [
                            "blocking",
                            "major",
                            "minor",
                            "nit",
                        ],
                    },
                    "body": {
                        "type": "string",
                        "description": "What is wrong and what to do about it, in Markdown.",
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.setAutoReview",
        "defs": {
            "main": {
                "type": "record",
                "description": "Switches automatic review of one artifact type in one project on or off. By an admin, else ignored (P2). For each type the record with the latest createdAt, then the greatest URI, wins over the project's own map (P2, P3).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "project",
                        "type",
                        "enabled",
                        "createdAt",
                    ],
                    "properties": {
                        "project": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The project whose setting changes. The anchor: the record belongs to the Radial space of what it names (T7), and does not count while that is unknown or itself does not count (L5). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.project (L1).",
                        },
                        "type": {
                            "type": "string",
                            "description": "The name of the artifact type. Free text; it need not be registered.",
                        },
                        "enabled": {
                            "type": "boolean",
                            "description": "Whether new artifacts of the type are reviewed without anybody asking (R8).",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which setting is the latest (P3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.setGuestComments",
        "defs": {
            "main": {
                "type": "record",
                "description": "Says whether tools of the space ask people who are no members for comments. By an admin, else ignored; the latest wins, and without any the answer is no (M3, P3). It decides only whether one asks: anybody can write in their own repo, and what was blessed stays blessed.",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "space",
                        "enabled",
                        "createdAt",
                    ],
                    "properties": {
                        "space": {
                            "type": "ref",
                            "ref": "com.atproto.repo.strongRef",
                            "description": "The Radial space that this record belongs to (T7). Beyond the lexicon: the URI must name a record of the collection com.disnetdev.radial.space (L1).",
                        },
                        "enabled": {
                            "type": "boolean",
                            "description": "Whether to ask.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "Decides which of these records is the latest (P3). An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
    {
        "lexicon": 1,
        "id": "com.disnetdev.radial.space",
        "defs": {
            "main": {
                "type": "record",
                "description": "Makes a Radial space: a circle of people and agents who work together and trust one another's records. The author is its root: always an active human member with the role admin, without a grant, never removed (T1). Everybody else comes in by addMember. Not to be confused with the spaces for private data of the atproto protocol itself: a Radial space is public. The earliest version of the record counts (V1), and nobody can delete a space (V5).",
                "key": "any",
                "record": {
                    "type": "object",
                    "required": [
                        "name",
                        "createdAt",
                    ],
                    "properties": {
                        "name": {
                            "type": "string",
                            "description": "What the space is called. Free text.",
                        },
                        "description": {
                            "type": "string",
                            "description": "What the space is for. Free text.",
                        },
                        "createdAt": {
                            "type": "string",
                            "description": "When the space was made; root is a member since then. An atproto datetime, read as an exact instant (L2).",
                            "format": "datetime",
                        },
                    },
                },
            },
        },
    },
)
