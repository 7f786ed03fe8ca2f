import type { FastifyReply } from 'fastify'
import { type PageMeta, page } from './schema.ts'

/** The text of a page, as the response schema of the route writes it. */
export function writePage(reply: FastifyReply, rows: object[], meta: PageMeta): string {
  return reply.serializeInput(page(rows, meta), '200') as string
}

/** Sends an answer that was written before. */
export function sendJson(reply: FastifyReply, body: Buffer | string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}
