import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { forAll } from '../../../lib/for-all.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailures, toastUndo } from '../../../ui/dialogs/toast.tsx'
import { changedTags } from './library-search.ts'

/** What a person does with several files at once. */
export function useManyFiles() {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  /** Says how many were done, and why each other one was not. */
  async function doWithAll<Thing extends { file: PrintFile }>(
    things: readonly Thing[],
    call: (thing: Thing) => Promise<unknown>,
    words: string,
    undo?: (done: Thing[]) => void,
  ): Promise<void> {
    setBusy(true)
    const failures = await forAll(things, call)
    setBusy(false)
    void queryClient.invalidateQueries({ queryKey: ['files'] })
    const failed = new Set(failures.map(({ thing }) => thing))
    const done = things.filter((thing) => !failed.has(thing))
    const told = `${t('{done, plural, one {# file} other {# files}}', { done: done.length })} ${words}`
    if (done.length > 0 && undo) toastUndo(told, () => undo(done))
    else if (done.length > 0) toastDone(told)
    if (failures.length > 0) {
      toastFailures(
        t('{failures, plural, one {# file} other {# files}} could not be {words}', {
          failures: failures.length,
          words,
        }),
        failures.map(({ thing, error }) => ({ name: thing.file.name, error })),
      )
    }
  }

  const setTags = ({ file, tags }: { file: PrintFile; tags: string[] }) =>
    api.call('PATCH /files/{id}', { params: { id: file.id }, body: { tags } })

  /** Each file has its tags of before again. */
  const takeBack = (done: readonly { file: PrintFile }[]) =>
    void doWithAll(
      done.map(({ file }) => ({ file, tags: file.tags })),
      setTags,
      t('as before'),
    )

  const setFolder = ({ file, folder }: { file: PrintFile; folder: string }) =>
    api.call('PATCH /files/{id}', { params: { id: file.id }, body: { folder } })

  return {
    isBusy,
    /** Moves files to a folder; those that are there stay as they are. */
    moveAll: (files: readonly PrintFile[], folder: string) =>
      doWithAll(
        files.filter((file) => file.folder !== folder).map((file) => ({ file, folder })),
        setFolder,
        t('moved'),
        (done) =>
          void doWithAll(
            done.map(({ file }) => ({ file, folder: file.folder })),
            setFolder,
            t('as before'),
          ),
      ),
    tagAll: (files: readonly PrintFile[], add: readonly string[]) =>
      doWithAll(changedTags(files, { add }), setTags, t('tagged'), takeBack),
    untagAll: (files: readonly PrintFile[], remove: readonly string[]) =>
      doWithAll(changedTags(files, { remove }), setTags, t('changed'), takeBack),
    /** Answers whether it was tried. */
    async removeAll(files: readonly PrintFile[]): Promise<boolean> {
      const amount = t('{files, plural, one {# file} other {# files}}', { files: files.length })
      const isSure = await confirm({
        title: t('Delete {amount}?', { amount }),
        body: t(
          'All their versions go with them. Jobs that ended keep their names and figures, but cannot be printed again.',
        ),
        confirmLabel: t('Delete {amount}', { amount }),
        isDangerous: true,
      })
      if (!isSure) return false
      await doWithAll(
        files.map((file) => ({ file })),
        ({ file: { id } }) => api.call('DELETE /files/{id}', { params: { id } }),
        t('deleted'),
      )
      return true
    },
  }
}
