import { ApiError, ConnectionError, PrintyardError } from '@printyard/sdk/errors'
import { CommandError } from '../command-error.ts'

const wrongKey = new Set(['UNAUTHORIZED', 'TOKEN_INVALID', 'TOKEN_EXPIRED'])

/** A failure of a call as a sentence that says what to do. Other errors stay as they are. */
export function explainRefusal(error: unknown, server: string): unknown {
  if (error instanceof ApiError) return explainAnswer(error, server)
  if (error instanceof ConnectionError) {
    const why = reasonOf(error)
    const text = `${server} does not answer${why === undefined ? '' : ` (${why})`}. Is the address right, and does Printyard run there?`
    return new CommandError(text, 1, { cause: error })
  }
  if (error instanceof PrintyardError) return new CommandError(error.message, 1, { cause: error })
  return error
}

function explainAnswer(error: ApiError, server: string): CommandError {
  const { code, message, status, details, requestId } = error
  const options = { cause: error }
  if (wrongKey.has(code)) {
    const text = `${message} ${server} refuses the key: run \`printyard login\` with one that is good.`
    return new CommandError(text, 1, options)
  }
  if (code === 'INSUFFICIENT_SCOPE') {
    const text = `${message} The scopes of a key are fixed: make one that has it, by \`printyard keys create\` or in the dashboard.`
    return new CommandError(text, 1, options)
  }
  if (code === 'VALIDATION_ERROR') {
    const sentences = Object.values((details ?? {}) as Record<string, unknown>).flat()
    return new CommandError(sentences.length > 0 ? sentences.join(' ') : message, 2, options)
  }
  if (code === 'UNKNOWN' && status < 500) {
    return new CommandError(`${server} answered ${status}; is this the address of Printyard?`, 1, options)
  }
  const request = status >= 500 && requestId !== null ? ` (request ${requestId})` : ''
  return new CommandError(`${message}${request}`, 1, options)
}

/** Answers what the network said, at the end of a chain of causes. */
function reasonOf(error: Error): string | undefined {
  let deepest: unknown = error.cause
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  if (!(deepest instanceof Error)) return undefined
  return (deepest as NodeJS.ErrnoException).code ?? deepest.message
}
