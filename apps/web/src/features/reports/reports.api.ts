import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { apiPrefix } from '../../lib/api/api-client.ts'
import type { ReportDays, ReportName } from './report-search.ts'

// While days are chosen, the figures change and do not vanish.

export const productionQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'production', days],
    queryFn: ({ signal }) => api.call('GET /analytics/production', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const printersQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'printers', days],
    queryFn: ({ signal }) => api.call('GET /analytics/printers', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const inventoryQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'inventory', days],
    queryFn: ({ signal }) => api.call('GET /analytics/inventory', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

/** @param currency that of the account where it is left out */
export const revenueQuery = (days: ReportDays, currency?: string) =>
  queryOptions({
    queryKey: ['reports', 'revenue', days, currency],
    queryFn: ({ signal }) =>
      api.call('GET /analytics/revenue', { query: { ...days, ...(currency !== undefined && { currency }) }, signal }),
    placeholderData: keepPreviousData,
  })

export const failuresQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'failures', days],
    queryFn: ({ signal }) => api.call('GET /analytics/failures', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const yieldQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'yield', days],
    queryFn: ({ signal }) => api.call('GET /analytics/yield', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const promisesQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'promises', days],
    queryFn: ({ signal }) => api.call('GET /analytics/promises', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const idleQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'idle', days],
    queryFn: ({ signal }) => api.call('GET /analytics/idle', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

export const marginQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'margin', days],
    queryFn: ({ signal }) => api.call('GET /costs/margin', { query: { ...days }, signal }),
    placeholderData: keepPreviousData,
  })

/** At which hours of the day printers print. */
export const hoursQuery = (days: ReportDays) =>
  queryOptions({
    queryKey: ['reports', 'hours', days],
    queryFn: ({ signal }) => api.call('GET /analytics/hours', { query: { ...days, limit: 500 }, signal }),
    placeholderData: keepPreviousData,
  })

/** The rows of a report for a spreadsheet. */
export function csvAddress(name: ReportName, days: ReportDays & { currency?: string }, by?: string): string {
  const query = new URLSearchParams({ ...days, ...(by !== undefined && { by }), format: 'csv' })
  return `${apiPrefix}/analytics/${name}?${query}`
}

/** The same of the margin, which is no report of the public API. */
export function marginCsvAddress(days: ReportDays, by: string): string {
  return `${apiPrefix}/costs/margin?${new URLSearchParams({ ...days, by, format: 'csv' })}`
}
