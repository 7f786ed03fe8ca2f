import { Ajv } from 'ajv'
import Type from 'typebox'
import { type FindProblem, makeFrameReader } from './frames.ts'
import { type HubMessage, type HubMessageName, hubMessages, messageHeader } from './messages.ts'

/**
 * Library of the service, which has it anyway for its requests; the library of schemas has one of its own, of 8 MB. It is there from
 * the first frame on: a start has better things to do.
 */
let ajv: Ajv | undefined

const compiled = new Map<string, FindProblem>()

/** Compiled when the first such frame arrives. */
function findProblemOf(type: string): FindProblem | undefined {
  if (!Object.hasOwn(hubMessages, type)) return undefined
  const findProblem = compiled.get(type) ?? compile(type as HubMessageName)
  compiled.set(type, findProblem)
  return findProblem
}

function compile(type: HubMessageName): FindProblem {
  ajv ??= new Ajv()
  const validate = ajv.compile(Type.Object({ ...messageHeader, ...hubMessages[type].properties }))
  return (frame) => {
    if (validate(frame)) return undefined
    const [first] = validate.errors ?? []
    return `${first?.instancePath ?? ''}: ${first?.message ?? 'invalid'}`
  }
}

/** Reads a frame that a hub sent. */
export const readHubFrame = makeFrameReader<HubMessage>(findProblemOf)
