import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Vendor {
  id: number
  registered: string
  name: string
  external_id?: string
  extra: Record<string, string>
}

interface Filament {
  id: number
  registered: string
  name?: string
  vendor?: Vendor
  material?: string
  density: number
  diameter: number
  weight?: number
  spool_weight?: number
  color_hex?: string
  multi_color_hexes?: string
  settings_extruder_temp?: number
  settings_bed_temp?: number
  external_id?: string
  extra: Record<string, string>
}

interface StoredSpool {
  id: number
  registered: string
  first_used?: string
  last_used?: string
  filament: Filament
  initial_weight?: number
  spool_weight?: number
  used_weight: number
  location?: string
  archived: boolean
  extra: Record<string, string>
}

interface Came {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, unknown> | undefined
}

/**
 * How a request is answered in the place of Spoolman. `status`: so, and nothing is done; `lose`: nothing is done, and the connection breaks;
 * `drop`: it is done, and the connection breaks; `hang`: it is done, and never answered.
 */
type Interference = { status: number; body?: string } | 'lose' | 'drop' | 'hang' | undefined

/**
 * Spoolman by the documentation of its API, version 0.26: spools with their filaments and vendors, use and measure. A field that is not set is
 * left out. What it does is compared with what its client for Python expects.
 */
export async function openTestSpoolman() {
  const vendors = new Map<number, Vendor>()
  const filaments = new Map<number, Filament>()
  const spools = new Map<number, StoredSpool>()
  const spoolman = {
    url: '',
    /** How wrong its clock is. */
    aheadMs: 0,
    spools,
    /** All that was asked, in its order. */
    came: [] as Came[],
    interfere: (_came: Came): Interference | Promise<Interference> => undefined,
    /** What each spool was told that it was used, by `use`. */
    uses: [] as { id: number; grams: number }[],
    addVendor(name: string): Vendor {
      const vendor = { id: vendors.size + 1, registered: now(), name, external_id: name.toLowerCase(), extra: {} }
      vendors.set(vendor.id, vendor)
      return vendor
    },
    addFilament(fields: Partial<Filament> = {}): Filament {
      const filament = {
        id: filaments.size + 1,
        registered: now(),
        density: 1.24,
        diameter: 1.75,
        extra: {},
        ...fields,
      }
      filaments.set(filament.id, filament)
      return filament
    },
    addSpool(filament: Filament, fields: Partial<StoredSpool> = {}): StoredSpool {
      const id = Math.max(0, ...spools.keys()) + 1
      const spool = { id, registered: now(), filament, used_weight: 0, archived: false, extra: {}, ...fields }
      spools.set(id, spool)
      return spool
    },
    /** Something else, such as Moonraker, tells of usage. */
    useElsewhere(id: number, grams: number): void {
      const spool = spools.get(id)
      if (spool) spool.used_weight += grams
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }

  function now(): string {
    return new Date(Date.now() + spoolman.aheadMs).toISOString().slice(0, 19).concat('Z')
  }

  const server = createServer((request, response) => {
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  spoolman.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return spoolman

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const came = await cameOf(request)
    spoolman.came.push(came)
    const interference = await spoolman.interfere(came)
    if (interference === 'lose') return void response.destroy()
    const { status, body, headers } =
      typeof interference === 'object' ? { headers: {}, body: '', ...interference } : perform(came)
    if (interference === 'drop') return void response.destroy()
    if (interference === 'hang') return
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const date = new Date(Date.now() + spoolman.aheadMs).toUTCString()
    response.writeHead(status, { date, 'content-type': 'application/json', ...headers }).end(text)
  }

  function perform({ method, path, query, body }: Came): Answer {
    const [, kind = '', id = '', action = ''] = /^\/api\/v1\/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (kind === 'info') return ok(info)
    if (kind === 'health') return ok({ status: 'healthy' })
    if (kind !== 'spool' && kind !== 'filament' && kind !== 'vendor') return missing('Not Found')
    if (id === '') return method === 'POST' ? create(kind, body ?? {}) : list(kind, query)
    const found = { spool: spools, filament: filaments, vendor: vendors }[kind].get(Number(id))
    if (found === undefined) return missing(`No ${kind} with ID ${id} found.`)
    if (method === 'DELETE' && action === '') return remove(kind, found.id)
    const spool = kind === 'spool' ? spools.get(Number(id)) : undefined
    if (spool !== undefined && method === 'PUT' && action === 'use') return use(spool, body ?? {})
    if (spool !== undefined && method === 'PUT' && action === 'measure') return measure(spool, body ?? {})
    if (method === 'PATCH' && action === '') return patch(kind, found, body ?? {})
    return method === 'GET' && action === ''
      ? ok(spool === undefined ? found : shown(spool))
      : { status: 405, body: { detail: 'Method Not Allowed' } }
  }

  /** What is needed is named when it is missing, as FastAPI does. */
  function create(kind: Kind, given: Record<string, unknown>): Answer {
    const needed = { spool: ['filament_id'], filament: ['density', 'diameter'], vendor: ['name'] }[kind]
    const lacking = needed.filter((name) => given[name] === undefined)
    if (lacking.length > 0) {
      const detail = lacking.map((name) => ({ type: 'missing', loc: ['body', name], msg: 'Field required' }))
      return { status: 422, body: { detail } }
    }
    if (kind === 'vendor') {
      const vendor: Vendor = { id: nextId(vendors), registered: now(), name: String(given.name), extra: {} }
      vendors.set(vendor.id, vendor)
      return patch(kind, vendor, given)
    }
    if (kind === 'filament') {
      const { density, diameter } = given as { density: number; diameter: number }
      const filament: Filament = { id: nextId(filaments), registered: now(), density, diameter, extra: {} }
      const answer = patch(kind, filament, given)
      if (answer.status === 200) filaments.set(filament.id, filament)
      return answer
    }
    const filament = filaments.get(Number(given.filament_id))
    if (!filament) return missing(`No filament with ID ${given.filament_id} found.`)
    const stored = { registered: now(), filament, used_weight: 0, archived: false, extra: {} }
    const spool: StoredSpool = { id: nextId(spools), ...stored }
    const answer = patch(kind, spool, given)
    if (answer.status === 200) spools.set(spool.id, spool)
    return answer
  }

  function remove(kind: Kind, id: number): Answer {
    if (kind === 'filament' && [...spools.values()].some(({ filament }) => filament.id === id)) {
      return { status: 403, body: { message: 'Failed to delete filament, see server logs for more information.' } }
    }
    if (kind === 'vendor')
      for (const filament of filaments.values()) if (filament.vendor?.id === id) delete filament.vendor
    ;({ spool: spools, filament: filaments, vendor: vendors })[kind].delete(id)
    return ok({ message: 'Success!' })
  }

  function list(kind: Kind, query: URLSearchParams): Answer {
    const all: object[] =
      kind === 'spool'
        ? [...spools.values()]
            .filter(({ archived }) => !archived || query.get('allow_archived') === 'true')
            .sort((one, other) => one.id - other.id)
            .map(shown)
        : [...(kind === 'vendor' ? vendors : filaments).values()]
    const offset = Number(query.get('offset') ?? 0)
    const limit = query.get('limit')
    const rows = all.slice(offset, limit === null ? undefined : offset + Number(limit))
    return { ...ok(rows), headers: { 'x-total-count': String(all.length) } }
  }

  function use(spool: StoredSpool, { use_weight, use_length }: Record<string, unknown>): Answer {
    if (typeof use_weight === 'number' && typeof use_length === 'number') {
      return { status: 400, body: { message: 'Only specify either use_weight or use_length.' } }
    }
    if (typeof use_weight !== 'number' && typeof use_length !== 'number') {
      return { status: 400, body: { message: 'Either use_weight or use_length must be specified.' } }
    }
    const weight = typeof use_weight === 'number' ? use_weight : Number(use_length) * gramsPerMm(spool.filament)
    spool.used_weight = Math.max(0, spool.used_weight + weight)
    spool.first_used ??= now()
    spool.last_used = now()
    spoolman.uses.push({ id: spool.id, grams: weight })
    return ok(shown(spool))
  }

  /** Answers what the scale shows, spool and all. */
  function measure(spool: StoredSpool, { weight }: Record<string, unknown>): Answer {
    const initial = spool.initial_weight ?? spool.filament.weight
    const tare = spool.spool_weight ?? spool.filament.spool_weight
    if (typeof weight !== 'number' || initial === undefined || tare === undefined) {
      return { status: 400, body: { message: 'Initial weight is not set.' } }
    }
    spool.used_weight = Math.max(0, initial + tare - weight)
    spool.first_used ??= now()
    spool.last_used = now()
    return ok(shown(spool))
  }

  /** Sets what is given and leaves the rest; null takes a field away, or a key of `extra`. */
  function patch(kind: Kind, thing: Vendor | Filament | StoredSpool, change: Record<string, unknown>): Answer {
    const { vendor_id, filament_id, remaining_weight: _remaining, used_weight: _used, ...plain } = change
    const vendor = typeof vendor_id === 'number' ? vendors.get(vendor_id) : undefined
    if (typeof vendor_id === 'number' && !vendor) return missing(`No vendor with ID ${vendor_id} found.`)
    const filament = typeof filament_id === 'number' ? filaments.get(filament_id) : undefined
    if (typeof filament_id === 'number' && !filament) return missing(`No filament with ID ${filament_id} found.`)
    const answer = kind === 'spool' ? weigh(thing as StoredSpool, change) : ok(thing)
    if (answer.status !== 200) return answer
    const kept = Object.entries({ ...thing.extra, ...(plain.extra as object) }).filter(([, value]) => value !== null)
    const fields = {
      ...plain,
      extra: Object.fromEntries(kept),
      ...(vendor && { vendor }),
      ...(filament && { filament }),
    }
    for (const [name, value] of Object.entries(fields)) {
      if (value === null) Reflect.deleteProperty(thing, name)
      else Reflect.set(thing, name, value)
    }
    return ok(kind === 'spool' ? shown(thing as StoredSpool) : thing)
  }

  function weigh(spool: StoredSpool, change: Record<string, unknown>): Answer {
    const { remaining_weight: remaining, used_weight: used, initial_weight: initial } = change
    if (remaining !== undefined && used !== undefined) {
      return { status: 400, body: { message: 'Only specify either remaining_weight or used_weight.' } }
    }
    if (typeof initial === 'number') spool.initial_weight = initial
    if (typeof used === 'number') spool.used_weight = used
    if (typeof remaining === 'number') {
      const full = spool.initial_weight ?? spool.filament.weight
      if (full === undefined) {
        return { status: 400, body: { message: 'remaining_weight needs a weight of the filament.' } }
      }
      spool.used_weight = Math.max(0, full - remaining)
    }
    return ok(shown(spool))
  }
}

interface Answer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

type Kind = 'spool' | 'filament' | 'vendor'

const nextId = (things: ReadonlyMap<number, unknown>) => Math.max(0, ...things.keys()) + 1
/** By the density and the diameter. */
const gramsPerMm = ({ density, diameter }: Filament) => (density * Math.PI * (diameter / 2) ** 2) / 1_000

const ok = (body: object): Answer => ({ status: 200, body })
const missing = (message: string): Answer => ({ status: 404, body: { message } })

const info = {
  ...{ version: '0.26.1', debug_mode: false, automatic_backups: true, db_type: 'sqlite', git_commit: '3c0f8a1' },
  ...{ data_dir: '/data', logs_dir: '/data', backups_dir: '/data/backups', build_date: '2026-08-22T10:00:00Z' },
}

/** Lengths by the density and the diameter, as Spoolman works them out. */
function shown(spool: StoredSpool): object {
  const { filament, initial_weight: initial, used_weight: used } = spool
  const lengthOf = (grams: number) => grams / gramsPerMm(filament)
  const full = initial ?? filament.weight
  const remaining = full === undefined ? undefined : Math.max(0, full - used)
  return {
    ...spool,
    ...(full !== undefined && { initial_weight: full }),
    ...(filament.spool_weight !== undefined && { spool_weight: spool.spool_weight ?? filament.spool_weight }),
    ...(remaining !== undefined && { remaining_weight: remaining, remaining_length: lengthOf(remaining) }),
    used_length: lengthOf(used),
  }
}

async function cameOf(request: IncomingMessage): Promise<Came> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const url = new URL(request.url ?? '/', 'http://spoolman')
  const text = Buffer.concat(chunks).toString('utf8')
  const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
  return { method: request.method ?? '', path: url.pathname, query: url.searchParams, body }
}
