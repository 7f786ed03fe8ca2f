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
    interfere: (_came: Came): Interference => undefined,
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
    const interference = spoolman.interfere(came)
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
    if (id === '') return list(kind, query)
    const found = { spool: spools, filament: filaments, vendor: vendors }[kind].get(Number(id))
    if (found === undefined) return missing(`No ${kind} with ID ${id} found.`)
    const spool = kind === 'spool' ? spools.get(Number(id)) : undefined
    if (spool === undefined) return ok(found)
    if (method === 'PUT' && action === 'use') return use(spool, body ?? {})
    if (method === 'PATCH' && action === '') return patch(spool, body ?? {})
    return method === 'GET' && action === ''
      ? ok(shown(spool))
      : { status: 405, body: { detail: 'Method Not Allowed' } }
  }

  function list(kind: 'spool' | 'filament' | 'vendor', query: URLSearchParams): Answer {
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

  function use(spool: StoredSpool, { use_weight: weight, use_length: length }: Record<string, unknown>): Answer {
    if ((weight === undefined) === (length === undefined) || typeof weight !== 'number') {
      return { status: 400, body: { message: 'Either use_weight or use_length must be specified.' } }
    }
    spool.used_weight = Math.max(0, spool.used_weight + weight)
    spool.first_used ??= now()
    spool.last_used = now()
    spoolman.uses.push({ id: spool.id, grams: weight })
    return ok(shown(spool))
  }

  function patch(spool: StoredSpool, change: Record<string, unknown>): Answer {
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

const ok = (body: object): Answer => ({ status: 200, body })
const missing = (message: string): Answer => ({ status: 404, body: { message } })

const info = {
  ...{ version: '0.26.1', debug_mode: false, automatic_backups: true, db_type: 'sqlite', git_commit: '3c0f8a1' },
  ...{ data_dir: '/data', logs_dir: '/data', backups_dir: '/data/backups', build_date: '2026-08-22T10:00:00Z' },
}

/** Lengths by the density and the diameter, as Spoolman works them out. */
function shown(spool: StoredSpool): object {
  const { filament, initial_weight: initial, used_weight: used } = spool
  const lengthOf = (grams: number) => (grams * 1_000) / (filament.density * Math.PI * (filament.diameter / 2) ** 2)
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
