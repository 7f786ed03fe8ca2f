import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { nothingHere } from '../error-handler.ts'
import type { Look } from '../request/first-looks.ts'
import type { App } from '../types.ts'
import type { AnswerPage } from './dashboard.ts'

/** All routes of one path. */
class KnownPath {
  readonly url: string
  readonly methods = new Set<string>()
  #form: RegExp | undefined

  constructor(url: string) {
    this.url = url
  }

  /** Made when it is needed: hundreds of patterns would be a part of each start. */
  get form(): RegExp {
    this.#form ??= formOf(this.url)
    return this.#form
  }
}

/**
 * Unknown path: a page of the dashboard for browsers, else 404. Known path, other method: 405 with `Allow`. A route that
 * finds no file of that name: 404.
 */
export function answerUnknownRoutes(app: App, answerPage: AnswerPage): Look {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method, exposeHeadRoute }) => {
    const known = paths.get(url) ?? new KnownPath(url)
    paths.set(url, known)
    for (const each of [method].flat()) known.methods.add(each)
    // It is routed as the GET.
    if (known.methods.has('GET') && exposeHeadRoute !== false) known.methods.add('HEAD')
  })

  /** By the path of a route: those that its variables could be taken for. */
  const narrowerPaths = new Map<string, KnownPath[]>()
  const narrowerThan = (url: string): KnownPath[] => {
    const known = narrowerPaths.get(url)
    if (known) return known
    const found = [...paths.values()].filter((each) => isNarrower(each.url, url))
    narrowerPaths.set(url, found)
    return found
  }

  /** Finds the path that this one could be, with the fewest variables: a fixed name is never an ID. */
  function findPath(path: string): KnownPath | undefined {
    const variables = ({ url }: KnownPath) => url.split(/[:*]/).length
    return [...paths.values()]
      .filter(({ form }) => form.test(path))
      .sort((one, other) => variables(one) - variables(other))[0]
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): AppError {
    const methods = findPath(pathOf(request))?.methods
    return methods && !methods.has(request.method) ? refuseMethod(request, reply, methods) : nothingHere()
  }

  app.setNotFoundHandler((request, reply) => {
    const page = findPath(pathOf(request)) ? undefined : answerPage(request, reply)
    if (page) return page
    throw refuse(request, reply)
  })

  return (request, reply) => {
    // No one reads what is sent nowhere, whatever it is.
    if (request.is404) delete request.raw.headers['content-type']
    // A fixed name may look like an ID: `DELETE /jobs/history` deletes no job of that name.
    const { url } = request.route
    const narrower = url === undefined ? [] : narrowerThan(url)
    if (narrower.length > 0) {
      const path = pathOf(request)
      const meant = narrower.find(({ form }) => form.test(path))
      if (meant && !meant.methods.has(request.method)) throw refuseMethod(request, reply, meant.methods)
    }
    if (request.method === 'HEAD' && url !== undefined) {
      const methods = paths.get(url)?.methods
      if (methods?.has('HEAD') === false) throw refuseMethod(request, reply, methods)
    }
    // The framework has rules of its own for the body of this method, which come before the handler above.
    if (request.method === 'QUERY') throw refuse(request, reply)
  }
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, methods: Iterable<string>): AppError {
  const allowed = [...new Set(methods)].sort().join(', ')
  reply.header('Allow', allowed)
  return new AppError('METHOD_NOT_ALLOWED', { method: request.method, allowed })
}

function formOf(url: string): RegExp {
  const pattern = url
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/:[^/]+/g, '[^/]+')
    .replace('*', '.*')
  return new RegExp(`^${pattern}/?$`)
}

/** True when every path of the first pattern is one of the second, which has a variable where the first has a name. */
function isNarrower(first: string, second: string): boolean {
  const names = first.split('/')
  const others = second.split('/')
  return (
    first !== second &&
    names.length === others.length &&
    names.every((name, index) => name === others[index] || others[index]?.startsWith(':')) &&
    names.some((name, index) => !name.startsWith(':') && others[index]?.startsWith(':'))
  )
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''
