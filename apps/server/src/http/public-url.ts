import type { FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'

/** Answers where clients reach this service, without a slash at the end: as configured, or else as this one has reached it. */
export function publicUrl(context: Context, request: FastifyRequest): string {
  return context.config.publicUrl ?? `${request.protocol}://${request.host}`
}
