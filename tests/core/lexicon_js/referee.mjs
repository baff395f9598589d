// Strategy: the reference implementation as referee. One JSON document comes in on standard input, {documents, cases};
// one goes out, {refused, verdicts}: the documents it would not load, and for each case null or what it objects to.
import { readFileSync } from 'node:fs'
import { Lexicons, jsonToLex } from '@atproto/lexicon'

const { documents, cases } = JSON.parse(readFileSync(0, 'utf8'))
const lexicons = new Lexicons()
const refused = []
for (const document of documents) {
  try {
    lexicons.add(document)
  } catch (error) {
    refused.push(`${document.id}: ${error.message}`)
  }
}

function objection({ nsid, value }) {
  try {
    lexicons.assertValidRecord(nsid, jsonToLex(value))
    return null
  } catch (error) {
    return error.message
  }
}

console.log(JSON.stringify({ refused, verdicts: cases.map(objection) }))
