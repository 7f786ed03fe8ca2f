import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { jobLivePatch, runningJobsQuery, showOrder, waitingJobsQuery } from './jobs.api.ts'

const pages = (...lists: unknown[][]) => ({
  pages: lists.map((rows) => ({ rows, nextCursor: null })),
  pageParams: lists.map(() => undefined),
})

test('what a printer says moves the job that it prints, over all plates, also in a part of the queue', () => {
  const queryClient = new QueryClient()
  const { queryKey } = runningJobsQuery({ search: 'hook' })
  const printing = { id: 'a', status: 'printing', printer_id: 'p', plates_done: 1, plates_total: 4 }
  const paused = { ...printing, id: 'b', status: 'paused', printer_id: 'q' }
  queryClient.setQueryData<unknown>(queryKey, pages([printing, paused]))
  jobLivePatch(
    queryClient,
    new Map([
      ['p', { printer_id: 'p', progress: 40 }],
      ['q', { printer_id: 'q', progress: 40 }],
    ]),
  )
  expect(queryClient.getQueryData(queryKey)).toEqual(pages([{ ...printing, progress_percentage: 35 }, paused]))
})

test('a new order is shown over all pages that are read, and can be taken back', () => {
  const queryClient = new QueryClient()
  const { queryKey } = waitingJobsQuery()
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  queryClient.setQueryData<unknown>(queryKey, pages([a, b], [c]))
  const takeBack = showOrder(queryClient, ['c', 'a', 'b'])
  expect(queryClient.getQueryData(queryKey)).toEqual(pages([c, a], [b]))
  takeBack()
  expect(queryClient.getQueryData(queryKey)).toEqual(pages([a, b], [c]))
})
