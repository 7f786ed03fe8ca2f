import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]
type Line = [object: object, message?: string, ...values: unknown[]]

/**
 * The log of a request, which says which request it was. It is made at its first line: most requests write none, and making it
 * cost a twentieth of a short one.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: Options
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options)
    return this.#made
  }

  get level(): string {
    return this.#made?.level ?? this.#options?.level ?? this.#parent.level
  }

  set level(level: string) {
    this.#own.level = level
  }

  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.#own.child(bindings, options)
  }

  fatal(...line: Line): void {
    this.#own.fatal(...line)
  }

  error(...line: Line): void {
    this.#own.error(...line)
  }

  warn(...line: Line): void {
    this.#own.warn(...line)
  }

  info(...line: Line): void {
    this.#own.info(...line)
  }

  debug(...line: Line): void {
    this.#own.debug(...line)
  }

  trace(...line: Line): void {
    this.#own.trace(...line)
  }

  silent(): void {
    // What is logged silently is not logged.
  }
}

/** For `childLoggerFactory` of the framework. */
export function logOfRequest(parent: FastifyBaseLogger, bindings: Bindings, options: Options): FastifyBaseLogger {
  return new RequestLog(parent, bindings, options) as FastifyBaseLogger
}
