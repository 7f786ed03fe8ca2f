import Type from 'typebox'
import { answer, resource } from '../../http/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Counts only: what a print costs and earns is no part of it. */
export const Overview = resource('Overview', 'Current counts of the farm', {
  date: Type.String({
    format: 'date',
    description: 'Today by the time zone of the account',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    examples: ['2026-11-20'],
  }),
  printers: answer(
    {
      total: count('Printers in use; the sum of the others'),
      idle: count('Free, as far as the printer says; its plate may still be full'),
      printing: count('Printing'),
      paused: count('Paused in a print'),
      maintenance: count('Taken out of service by a person, or busy with something that is no print'),
      offline: count('Out of reach, or their hub is'),
      error: count('Stopped by an error of their own'),
    },
    { description: 'Active printers by their current status' },
  ),
  jobs: answer(
    {
      pending: count('Jobs that are not over: queued, processing, printing or paused'),
      queued: count('Waiting in the queue'),
      printing: count('Printing; paused jobs are not among them'),
      processing: count('Jobs on their way to a printer'),
      today_completed: count('Completed today'),
      today_failed: count('Failed today'),
    },
    { description: 'Jobs by where they stand; today is `date`, by the time of their end' },
  ),
  tasks: answer(
    {
      pending: count('Tasks that are not over: pending or in progress, of any type'),
      collection: count('Prints to take off a plate, not over'),
      assembly: count('Units to put together, not over'),
      filament_change: count('Filament to change, not over'),
    },
    { description: 'Tasks of the worklist' },
  ),
  hubs: answer(
    { total: count('All hubs'), online: count('Hubs that are connected now') },
    { description: 'Hubs by connection' },
  ),
  alerts: answer(
    { low_stock: count('Active inventory items whose status is low_stock or out_of_stock') },
    { description: 'Warnings of the farm' },
  ),
})
