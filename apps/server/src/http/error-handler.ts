import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionError, isDiskFull, isLockTimeout } from '../db/database-errors.ts'
import { AppError, validationError } from '../kernel/errors.ts'

/** Fastify's own errors, and what became of the outside world, in our words. */
export function toAppError(error: FastifyError | Error, bodyLimitBytes?: number): AppError {
  if (error instanceof AppError) return error
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return validationError({ _root: [`must be valid JSON: ${error.message}`] })
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', { limit: binarySize(bodyLimitBytes) })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'application/json' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return nothingHere()
    case 'FST_ERR_BAD_URL':
      return validationError({ _root: ['the address is not properly escaped'] })
  }
  if (error instanceof SyntaxError && 'statusCode' in error) {
    return validationError({ _root: [`must be valid JSON: ${error.message}`] })
  }
  // Of the routes that serve files of a folder, for a name that leads out of it.
  if ([403, 404].includes((error as FastifyError).statusCode ?? 0)) return nothingHere()
  if (isConnectionError(error)) {
    return new AppError(
      'SERVICE_UNAVAILABLE',
      { why: 'the database does not answer' },
      { cause: error, retryAfterSeconds: 5 },
    )
  }
  // query_canceled: the statement took too long.
  if (isLockTimeout(error) || (error as NodeJS.ErrnoException).code === '57014') {
    return new AppError('SERVICE_UNAVAILABLE', { why: 'the database is busy' }, { cause: error, retryAfterSeconds: 2 })
  }
  if (isDiskFull(error)) {
    return new AppError('STORAGE_FULL', {}, { cause: error, retryAfterSeconds: 60 })
  }
  return new AppError('INTERNAL_ERROR', {}, { cause: error })
}

/** The address itself names nothing: no resource was looked for. */
export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', {}, { message: 'Nothing is at this address; the API is described at /docs.' })
}

function binarySize(bytes = 1024 * 1024): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${Math.round(bytes / 1024)} KiB`
}

export function errorBody(error: AppError) {
  return {
    success: false as const,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details !== undefined && { details: error.details }),
    },
  }
}

/** One place that writes failures: the caller's mistake is not logged as an error, our own bug is, with its cause. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A client that went away, or stalled, in the middle of its body: no fault of the service, and none of what it depends on.
  const known =
    error === request.raw.errored
      ? validationError({ _root: ['ended before it was whole'] })
      : toAppError(error, request.routeOptions?.bodyLimit)
  if (known.code === 'INTERNAL_ERROR') request.log.error({ err: known.cause ?? error }, 'request failed')
  else if (known.status >= 500) request.log.warn({ err: known.cause ?? known, code: known.code }, 'request refused')
  if (known.status === 401) reply.header('WWW-Authenticate', 'Bearer realm="Printyard"')
  if (known.retryAfterSeconds !== undefined) reply.header('Retry-After', known.retryAfterSeconds)
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(known)))
}
