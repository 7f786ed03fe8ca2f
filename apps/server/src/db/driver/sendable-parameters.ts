/** A statement that was not sent, because it would not have meant what its author meant. */
export class StatementError extends Error {
  readonly code: 'PARAMETER_UNDEFINED' | 'PARAMETER_NOT_SENDABLE' | 'TOO_MANY_PARAMETERS' | 'ACCOUNT_NOT_NAMED'

  constructor(code: StatementError['code'], message: string) {
    super(message)
    this.name = 'StatementError'
    this.code = code
  }
}

/** PostgreSQL counts parameters of a statement in 16 bits; the client library would send a count modulo 65,536. */
const mostParameters = 65_535

/** JSON that is written already, so that a value which cannot be written fails at the caller. */
export class JsonText {
  readonly text: string

  constructor(value: unknown) {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) throw new StatementError('PARAMETER_UNDEFINED', 'undefined is not JSON; use null')
    this.text = text
  }
}

/** Refuses a value that no type of PostgreSQL takes, and `undefined`, which may be a misspelt property. */
export function checkParameter(value: unknown): void {
  if (value === undefined) {
    throw new StatementError(
      'PARAMETER_UNDEFINED',
      'A statement was given undefined; use null, or leave the condition out',
    )
  }
  if (typeof value === 'symbol' || typeof value === 'function') {
    throw new StatementError('PARAMETER_NOT_SENDABLE', `A statement was given a ${typeof value}`)
  }
  if (typeof value !== 'object' || value === null || value instanceof JsonText || value instanceof Uint8Array) return
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime()))
      throw new StatementError('PARAMETER_NOT_SENDABLE', 'A statement was given an invalid Date')
    return
  }
  if (Array.isArray(value)) {
    for (const element of value) checkParameter(element)
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
