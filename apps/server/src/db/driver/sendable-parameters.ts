import type postgres from 'postgres'

/** A statement that was not sent, because the driver could not have sent it safely. */
export class StatementError extends Error {
  readonly code: 'PARAMETER_UNDEFINED' | 'PARAMETER_NOT_SENDABLE' | 'TOO_MANY_PARAMETERS' | 'ACCOUNT_NOT_NAMED'

  constructor(code: StatementError['code'], message: string) {
    super(message)
    this.name = 'StatementError'
    this.code = code
  }
}

/** PostgreSQL counts parameters of a statement in 16 bits; the driver refuses from here on. */
const mostParameters = 65_533

/** JSON that is written already, so that a value which cannot be written fails at the caller and only once. */
export class JsonText {
  readonly text: string

  constructor(value: unknown) {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) throw new StatementError('PARAMETER_UNDEFINED', 'undefined is not JSON; use null')
    this.text = text
  }
}

/**
 * Refuses what the driver would only notice while writing a statement to a connection that other statements wait on.
 * postgres.js 3.4.9 then rejects the statement in front and hands every later answer on that connection to the wrong
 * caller (`execute` in its connection.js queues a statement before it builds it). So nothing of the kind may reach it.
 *
 * @param isFragment whether an object was made by the driver (fragment, identifier, helper, typed parameter).
 */
export function checkParameter(value: unknown, isFragment: (value: object) => boolean): void {
  if (value === undefined) {
    throw new StatementError(
      'PARAMETER_UNDEFINED',
      'A statement was given undefined; use null, or leave the condition out',
    )
  }
  if (typeof value === 'symbol' || typeof value === 'function') {
    if (typeof value === 'function' && isFragment(value)) return
    throw new StatementError('PARAMETER_NOT_SENDABLE', `A statement was given a ${typeof value}`)
  }
  if (typeof value !== 'object' || value === null || isFragment(value) || value instanceof Uint8Array) return
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime()))
      throw new StatementError('PARAMETER_NOT_SENDABLE', 'A statement was given an invalid Date')
    return
  }
  if (Array.isArray(value)) {
    for (const element of value) checkParameter(element, isFragment)
    return
  }
  throw new StatementError('PARAMETER_NOT_SENDABLE', 'A statement was given an object; wrap it in sql.json()')
}

export function checkParameterCount(count: number): void {
  if (count > mostParameters) {
    throw new StatementError(
      'TOO_MANY_PARAMETERS',
      `A statement has ${count} parameters, ${mostParameters} is the most; pass arrays with unnest()`,
    )
  }
}

type Serializer = (value: unknown) => unknown

/**
 * The second half of the same protection, for values whose type only the server knows (a text for a timestamptz that
 * is no time, a number where it wants an array): a serializer never throws. What it cannot write goes out as a text
 * that no such type accepts, and the server refuses the one statement with `22P02` or `22007`.
 */
export function makeSerializersSafe(options: postgres.ParsedOptions): void {
  for (const [oid, serialize] of Object.entries(options.serializers)) {
    options.serializers[Number(oid)] = neverThrowing(serialize)
  }
}

function neverThrowing(serialize: Serializer): Serializer {
  return (value) => {
    try {
      const text = serialize(value)
      return typeof text === 'string' ? text : String(text)
    } catch {
      return 'a value that cannot be written as this type'
    }
  }
}
