import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type FindProblem, makeFrameReader } from './frames.ts'
import { type HubMessage, type HubMessageName, hubMessages, messageHeader } from './messages.ts'

const compiled = new Map<string, FindProblem>()

/** Compiled when the first such frame arrives. */
function findProblemOf(type: string): FindProblem | undefined {
  if (!Object.hasOwn(hubMessages, type)) return undefined
  const findProblem = compiled.get(type) ?? compile(type as HubMessageName)
  compiled.set(type, findProblem)
  return findProblem
}

function compile(type: HubMessageName): FindProblem {
  const validator = Compile(Type.Object({ ...messageHeader, ...hubMessages[type].properties }))
  return (frame) => {
    if (validator.Check(frame)) return undefined
    const [first] = validator.Errors(frame)
    return `${first?.instancePath ?? ''}: ${first?.message ?? 'invalid'}`
  }
}

/** Reads a frame that a hub sent. */
export const readHubFrame = makeFrameReader<HubMessage>(findProblemOf)
