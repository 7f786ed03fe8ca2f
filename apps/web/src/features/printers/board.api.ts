import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BoardPrinter } from '../../lib/api/api-schema.generated.ts'
import { thumbnailAddress } from '../../lib/api/file-addresses.ts'
import { t } from '../../lib/i18n/t.ts'

/** What each printer prints, holds and would print next, by its ID. What it does at this moment stands in the live list. */
export const boardQuery = () =>
  queryOptions({
    queryKey: ['printers', 'board'],
    queryFn: async ({ signal }) =>
      new Map((await api.call('GET /printers/board', { signal })).map((each) => [each.id, each])),
    structuralSharing: false,
  })

/** What all printers did today, and how busy they were in the week. */
export const farmDayQuery = () =>
  queryOptions({
    queryKey: ['printers', 'farm-day'],
    queryFn: ({ signal }) => api.call('GET /printers/day', { signal }),
    // It grows to the right by itself.
    refetchInterval: 60_000,
  })

/** The picture of what prints; undefined where its file has none. */
export function pictureOf(job: BoardPrinter['job'] | undefined): string | undefined {
  if (!job || job.picture_of === null) return undefined
  return thumbnailAddress({ id: job.print_file_id, updated_at: job.picture_of })
}

/** What prints, as people call it: the product with its units, else the file. */
export function printWords(job: BoardPrinter['job'] | undefined, fileName: string | null): string {
  if (!job) return fileName ?? t('A print')
  const name = job.product_name ?? job.file_name
  return job.units > 1 ? `${job.units} × ${name}` : name
}
