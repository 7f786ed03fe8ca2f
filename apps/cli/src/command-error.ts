/** A failure of a command, in a sentence for its user. */
export class CommandError extends Error {
  /** 1: it could not be done. 2: it was asked for wrongly. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
