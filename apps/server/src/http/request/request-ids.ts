import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const givenForm = /^[A-Za-z0-9._-]{1,128}$/

/** With the ten digits of the count they have the form of a UUID. */
const charactersOfProcess = 26
const firstCount = 1_000_000_000
const lastCount = 9_999_999_999

/**
 * Names requests as their caller does, or with a name that no other has. A name has no secret to keep: what is random in it is of this
 * process, and the rest counts, which costs each request a fraction of a random name.
 */
export function makeRequestIds(count = firstCount): (request: Pick<IncomingMessage, 'headers'>) => string {
  let ofProcess = randomUUID().slice(0, charactersOfProcess)
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && givenForm.test(given)) return given
    if (count > lastCount) {
      ofProcess = randomUUID().slice(0, charactersOfProcess)
      count = firstCount
    }
    const id = `${ofProcess}${count}`
    count += 1
    return id
  }
}
