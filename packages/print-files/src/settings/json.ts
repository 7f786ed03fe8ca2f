import type { Limits } from '../limits.ts'
import { PrintFileError, quoteName } from '../print-file-error.ts'

/** A JSON object of an archive, or undefined when it is none. Throws `UNSAFE` when it is too long. */
export function parseJsonObject(bytes: Buffer, entryName: string, limits: Limits): object | undefined {
  if (bytes.length > limits.maxJsonBytes) {
    throw new PrintFileError('UNSAFE', `Entry ${quoteName(entryName)} is too long for JSON of this kind.`)
  }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** An own property, whatever it is; what an object inherits is not part of a file. */
export function own(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined
  return (object as Record<string, unknown>)[key]
}
