import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { forAll } from '../../../lib/for-all.ts'
import { t } from '../../../lib/i18n/t.ts'
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
    if (succeeded > 0)
      toastDone(`${t('{succeeded, plural, one {# printer} other {# printers}}', { succeeded })} ${done}`)
    if (failures.length > 0) {
      toastFailures(
        `${t('{failures, plural, one {# printer} other {# printers}}', { failures: failures.length })} ${failed}`,
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
              title: t('Is the plate of {namesOf} empty?', { namesOf: namesOf(printers) }),
              body: t('Look before you answer, the next job may start at once.'),
              confirmLabel: t('The plate is clear'),
            }
          : {
              title: t('Are the plates of {printers, plural, one {# printer} other {# printers}} empty?', {
                printers: printers.length,
              }),
              body: t('Look at each before you answer, the next job may start at once: {namesOf}.', {
                namesOf: namesOf(printers),
              }),
              confirmLabel: t('The plates are clear'),
            },
        call: control('clear_bed'),
        done: t('with a clear plate'),
        failed: t('whose plate was not cleared'),
      }),
    letStart: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: isOne(printers)
          ? {
              title: t('Let {namesOf} start jobs by itself?', { namesOf: namesOf(printers) }),
              body: t('It heats up and moves without asking, each time its plate was confirmed to be clear.'),
              confirmLabel: t('Let it start jobs'),
            }
          : {
              title: t('Let {printers, plural, one {# printer} other {# printers}} start jobs by themselves?', {
                printers: printers.length,
              }),
              body: t(
                'They heat up and move without asking, each time their plate was confirmed to be clear: {namesOf}.',
                { namesOf: namesOf(printers) },
              ),
              confirmLabel: t('Let them start jobs'),
            },
        call: autoStart(true),
        done: t('now started by the queue'),
        failed: t('not changed'),
      }),
    hold: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: isOne(printers)
          ? {
              title: t('Hold {namesOf}?', { namesOf: namesOf(printers) }),
              body: t('Its current print goes on. No other job starts there until a person starts it.'),
              confirmLabel: t('Hold it'),
            }
          : {
              title: t('Hold {printers, plural, one {# printer} other {# printers}}?', { printers: printers.length }),
              body: t('Their current prints go on. No other job starts there until a person starts it: {namesOf}.', {
                namesOf: namesOf(printers),
              }),
              confirmLabel: t('Hold them'),
            },
        call: autoStart(false),
        done: t('held'),
        failed: t('not changed'),
      }),
    resume: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: {
          title: t('Resume the print on {namesOf}?', { namesOf: namesOf(printers) }),
          body: t('It heats up and moves. Make sure that no hand is in it.'),
          confirmLabel: t('Resume printing'),
        },
        call: control('resume'),
        done: t('resumed'),
        failed: t('not resumed'),
      }),
    pause: (printers: readonly LivePrinter[]) =>
      perform({
        printers,
        question: {
          ...(isOne(printers)
            ? {
                title: t('Pause the print on {namesOf}?', { namesOf: namesOf(printers) }),
                body: t('It stops where it is and stays warm, until it is resumed.'),
              }
            : {
                title: t('Pause the prints on {printers, plural, one {# printer} other {# printers}}?', {
                  printers: printers.length,
                }),
                body: t('They stop where they are and stay warm, until each is resumed: {namesOf}.', {
                  namesOf: namesOf(printers),
                }),
              }),
          confirmLabel: t('Pause printing'),
          isDangerous: true,
        },
        call: control('pause'),
        done: t('paused'),
        failed: t('not paused'),
      }),
  }
}

const isOne = (printers: readonly LivePrinter[]) => printers.length === 1

const namesOf = (printers: readonly LivePrinter[]) => printers.map(({ name }) => name).join(', ')
