/** Outcome of reading a frame. An unknown type is to be ignored, an invalid frame is the peer's bug. */
type ReadFrame<M> =
  | { kind: 'message'; message: M }
  | { kind: 'unknown_type'; type: string }
  | { kind: 'invalid'; problem: string }

/** Says what is wrong with a frame of one type; undefined when it is as it should be. */
export type FindProblem = (frame: object) => string | undefined

/** NUL and halves of surrogate pairs, as JSON escapes them: printers say such things, and no database takes them. */
const unstorableEscape = /\\u(0000|d[89a-f])/i

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

/** A reader of the frames whose types `findProblemOf` knows. */
export function makeFrameReader<M>(findProblemOf: (type: string) => FindProblem | undefined) {
  return (frame: string): ReadFrame<M> => {
    let value: unknown
    try {
      value = unstorableEscape.test(frame) ? JSON.parse(frame, storable) : JSON.parse(frame)
    } catch (cause) {
      return { kind: 'invalid', problem: `not JSON: ${(cause as Error).message}` }
    }
    if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') {
      return { kind: 'invalid', problem: 'no type' }
    }
    const { type } = value
    const findProblem = findProblemOf(type)
    if (!findProblem) return { kind: 'unknown_type', type }
    const problem = findProblem(value)
    return problem === undefined
      ? { kind: 'message', message: value as M }
      : { kind: 'invalid', problem: `${type}${problem}` }
  }
}
