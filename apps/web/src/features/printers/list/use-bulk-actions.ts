import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { forAll } from '../../../lib/for-all.ts'
import { formatAmount } from '../../../lib/format.ts'
import { type Question, useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailures } from '../../../ui/dialogs/toast.tsx'

interface BulkAction {
  printers: readonly LivePrinter[]
  question: Question
  call: (printer: LivePrinter) => Promise<unknown>
  /** After the number of printers: `now start jobs by themselves`. */
  done: string
  /** After the number of printers: `could not be paused`. */
  failed: string
}

/** What a person does with several printers. Each asks once, naming all of them, and tells of each that failed. */
export function useBulkActions() {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)

  /** Answers whether all was done. */
  async function perform({ printers, question, call, done, failed }: BulkAction): Promise<boolean> {
    if (!(await confirm(question))) return false
    setIsBusy(true)
    const failures = await forAll(printers, call)
    setIsBusy(false)
    void queryClient.invalidateQueries({ queryKey: ['printers'] })
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
    const succeeded = printers.length - failures.length
    if (succeeded > 0) toastDone(`${formatAmount(succeeded, 'printer')} ${done}`)
    if (failures.length > 0) {
      toastFailures(
        `${formatAmount(failures.length, 'printer')} ${failed}`,
        failures.map(({ thing, error }) => ({ name: thing.name, error })),
      )
    }
    return failures.length === 0
  }

  const control = (action: 'clear_bed' | 'pause' | 'resume') => (printer: LivePrinter) =>
    api.call('POST /printers/{id}/control', { params: { id: printer.id }, body: { action } })
  const autoStart = (auto_start: boolean) => (printer: LivePrinter) =>
    api.call('PATCH /printers/{id}', { params: { id: printer.id }, body: { auto_start } })

  return {
    isBusy,
    clearPlates: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: isOne(printers)
          ? {
              title: `Is the plate of ${namesOf(printers)} empty?`,
              body: 'Look before you answer, the next job may start at once.',
              confirmLabel: 'The plate is clear',
            }
          : {
              title: `Are the plates of ${formatAmount(printers.length, 'printer')} empty?`,
              body: `Look at each before you answer, the next job may start at once: ${namesOf(printers)}.`,
              confirmLabel: 'The plates are clear',
            },
        call: control('clear_bed'),
        done: 'with a clear plate',
        failed: 'whose plate was not cleared',
      }),
    letStart: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: isOne(printers)
          ? {
              title: `Let ${namesOf(printers)} start jobs by itself?`,
              body: 'It heats up and moves without asking, each time its plate was confirmed to be clear.',
              confirmLabel: 'Let it start jobs',
            }
          : {
              title: `Let ${formatAmount(printers.length, 'printer')} start jobs by themselves?`,
              body: `They heat up and move without asking, each time their plate was confirmed to be clear: ${namesOf(printers)}.`,
              confirmLabel: 'Let them start jobs',
            },
        call: autoStart(true),
        done: 'now started by the queue',
        failed: 'not changed',
      }),
    hold: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: isOne(printers)
          ? {
              title: `Hold ${namesOf(printers)}?`,
              body: 'What it prints goes on. No other job starts there until a person starts it.',
              confirmLabel: 'Hold it',
            }
          : {
              title: `Hold ${formatAmount(printers.length, 'printer')}?`,
              body: `What they print goes on. No other job starts there until a person starts it: ${namesOf(printers)}.`,
              confirmLabel: 'Hold them',
            },
        call: autoStart(false),
        done: 'held',
        failed: 'not changed',
      }),
    resume: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: {
          title: `Resume the print on ${namesOf(printers)}?`,
          body: 'It heats up and moves. Make sure that no hand is in it.',
          confirmLabel: 'Resume printing',
        },
        call: control('resume'),
        done: 'resumed',
        failed: 'not resumed',
      }),
    pause: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: {
          ...(isOne(printers)
            ? {
                title: `Pause the print on ${namesOf(printers)}?`,
                body: 'It stops where it is and stays warm, until it is resumed.',
              }
            : {
                title: `Pause the prints on ${formatAmount(printers.length, 'printer')}?`,
                body: `They stop where they are and stay warm, until each is resumed: ${namesOf(printers)}.`,
              }),
          confirmLabel: 'Pause printing',
          isDangerous: true,
        },
        call: control('pause'),
        done: 'paused',
        failed: 'not paused',
      }),
  }
}

const isOne = (printers: readonly LivePrinter[]) => printers.length === 1

const namesOf = (printers: readonly LivePrinter[]) => printers.map(({ name }) => name).join(', ')
