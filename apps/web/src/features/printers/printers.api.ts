import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { asApiError } from '../../lib/api/api-error.ts'
import type { LivePrinter, LivePrinterStatus, Printer } from '../../lib/api/api-schema.generated.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LivePatch, LiveRule } from '../../lib/live/live-rules.ts'
import { mayHavePictureLater } from './camera/camera-sentence.ts'
import { mergeLiveRows } from './live-rows.ts'

/** All printers to choose from, by name. What they do now stands in the live list. */
export const printerChoicesQuery = () =>
  queryOptions({
    queryKey: ['printers', 'choices'],
    queryFn: ({ signal }) => api.rows('GET /printers', { query: { limit: 500 } }, signal),
    select: choicesOf,
  })

// The same function each time, so that the same rows are the same choices.
const choicesOf = (rows: readonly Printer[]) => rows.map(({ id, name, location }) => ({ id, name, location }))

/** All printers with what they do now. Live events are written into it. */
export const livePrintersQuery = () =>
  queryOptions({
    queryKey: ['printers', 'live'],
    queryFn: ({ signal }): Promise<LivePrinter[]> => api.rows('GET /printers/live', { query: { limit: 500 } }, signal),
  })

/** Often enough to see what goes on, and seldom enough for a printer that draws its pictures slowly. */
const stillEveryMs = 4_000

/** What its camera sees. Asked for again and again, and only while `isShown`. */
export const printerStillQuery = (id: string, isShown: boolean) =>
  queryOptions({
    queryKey: ['printer-still', id],
    queryFn: ({ signal }) => api.bytes('GET /printers/{id}/snapshot', { params: { id }, signal }),
    enabled: isShown,
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state: { error } }) =>
      error && !mayHavePictureLater(asApiError(error)) ? false : stillEveryMs,
  })

/** The jobs that would print on it, in their order. */
export const printerQueueQuery = (id: string) =>
  pagedQuery(['printers', 'queue', id], 'GET /printers/{id}/queue', { params: { id }, query: { limit: 10 } })

/** The latest that happened to it. */
export const printerEventsQuery = (id: string) =>
  pagedQuery(['printers', 'events', id], 'GET /printers/{id}/events', { params: { id }, query: { limit: 15 } })

/** Where the time of a day went, by its date in the time zone of the account: `2026-11-20`. */
export const printerDayQuery = (id: string, date: string) =>
  queryOptions({
    queryKey: ['printers', 'day', id, date],
    queryFn: ({ signal }) =>
      api.call('GET /printers/{id}/timeline', { params: { id }, query: { from: date, to: date }, signal }),
  })

export const printerQuery = (id: string) =>
  queryOptions({
    queryKey: ['printers', 'one', id],
    queryFn: ({ signal }) => api.call('GET /printers/{id}', { params: { id }, signal }),
  })

/** A printer with the tag that guards a change of it. What was read for an edit before is not looked at again. */
export const printerToEditQuery = (id: string) =>
  queryOptions({
    queryKey: ['printer-to-edit', id],
    queryFn: ({ signal }) => api.getTagged('GET /printers/{id}', { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** What the printer says now. Live events are written into it. */
export const printerStatusQuery = (id: string) =>
  queryOptions({
    queryKey: ['printers', 'status', id],
    queryFn: ({ signal }) => api.call('GET /printers/{id}/status', { params: { id }, signal }),
  })

/** The temperatures of the last hour, as a chart begins with them. What comes after is told by the stream. */
export const lastHourQuery = (id: string) =>
  queryOptions({
    queryKey: ['printer-last-hour', id],
    queryFn: async ({ signal }) => {
      const { samples } = await api.call('GET /printers/{id}/last-hour', { params: { id }, signal })
      return samples.map(({ at, nozzle_target, bed_target, ...sample }) => ({
        ...sample,
        atMs: Date.parse(at),
        nozzleTarget: nozzle_target,
        bedTarget: bed_target,
      }))
    },
    staleTime: 0,
    gcTime: 0,
  })

const ofPrinter = (id: string | null) => [
  ['printers', 'live'],
  ['printers', 'one', id],
  ['printers', 'status', id],
  ['printers', 'day', id],
  ['printers', 'events', id],
  ['printers', 'queue'],
]

export const printerLiveRules: readonly LiveRule[] = [
  { on: ['printer.*', 'job.*', 'file.*'], keys: () => [['printers', 'board']] },
  { on: ['printer.*'], keys: ofPrinter },
  { on: ['printer.created', 'printer.updated', 'printer.deleted'], keys: () => [['printers', 'choices']] },
  // A job that starts or ends changes what its printer prints, and every queue behind it.
  {
    on: ['job.*'],
    keys: (_, event) => {
      const printerId = event?.data.printer_id
      return typeof printerId === 'string' ? ofPrinter(printerId) : [['printers', 'queue']]
    },
  },
  { on: ['hub', 'hub.connected', 'hub.disconnected', 'hub.deleted', 'hub.health_changed'], keys: () => [['printers']] },
  { on: ['hub.*'], keys: () => [['hubs', 'choices']] },
]

/** Live fields go into the status of their printer, and into the list of all. */
export const printerLivePatch: LivePatch = (queryClient, changed) => {
  queryClient.setQueryData<LivePrinter[]>(
    livePrintersQuery().queryKey,
    (known) => known && mergeLiveRows(known, changed),
  )
  for (const [id, fields] of changed) {
    queryClient.setQueryData<LivePrinterStatus>(['printers', 'status', id], (known) => known && { ...known, ...fields })
  }
}
