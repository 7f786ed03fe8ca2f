import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { cookieName, isProtected, readCookie } from './session-cookie.ts'

/** A browser is remembered this long after the last sign-in. */
const lifetimeMs = 180 * 24 * 3_600_000

/** People who have signed in by one browser and are remembered there, those of a shared computer too. */
const mostPeople = 10

const boundTo = 'people who have signed in here'

interface KnownPerson {
  /** Stands for the address of the person. */
  mark: string
  /** Stands for this browser, by this person. */
  id: string
  until: number
}

type Service = Pick<Context, 'config' | 'secrets' | 'clock' | 'log'>
type Reached = Pick<FastifyRequest, 'protocol' | 'headers'>

/**
 * ID of this browser if the person with this address has signed in by it before; else undefined. It opens nothing: wrong
 * passwords typed here are counted apart from those of strangers, who cannot keep the person out in this way. No row is
 * read for it.
 */
export function readDevice(context: Service, request: Reached, email: string): string | undefined {
  const mark = markOf(context, email)
  return listPeople(context, request).find((person) => person.mark === mark)?.id
}

/** Remembers that the person with this address has signed in by this browser. */
export function rememberDevice(
  context: Service,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
  email: string,
): void {
  const mark = markOf(context, email)
  const people = listPeople(context, request)
  const id = people.find((person) => person.mark === mark)?.id ?? randomBytes(12).toString('base64url')
  const until = context.clock.now().getTime() + lifetimeMs
  const kept = [{ mark, id, until }, ...people.filter((person) => person.mark !== mark)].slice(0, mostPeople)
  const value = context.secrets.seal(kept, boundTo).toString('base64url')
  const secure = isProtected(context.config, request) ? '; Secure' : ''
  // Lax: a browser that comes back from the sign-in provider brings it along.
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeMs / 1000}${secure}`
  reply.header('Set-Cookie', `${cookieName(context, request, 'device')}=${value}; ${flags}`)
}

function listPeople(context: Service, request: Reached): KnownPerson[] {
  const value = readCookie(request, cookieName(context, request, 'device'))
  if (value === undefined) return []
  const now = context.clock.now().getTime()
  try {
    // Sealed by us, so it holds what was put in.
    const people = context.secrets.open(Buffer.from(value, 'base64url'), boundTo) as KnownPerson[]
    return people.filter(({ until }) => until > now)
  } catch (error) {
    context.log.debug({ err: error }, 'a cookie of a known browser does not open')
    return []
  }
}

function markOf({ secrets }: Pick<Service, 'secrets'>, email: string): string {
  return secrets.sign(`device of ${email.trim().toLowerCase()}`).slice(0, 16)
}
