import { api } from '../../lib/api/api.ts'
import { t } from '../../lib/i18n/t.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { sendFile } from './send-file.ts'

interface Named {
  id: string
  name: string
}

/** What a person does with a file besides printing it. Each answers whether it was done. */
export function useFileActions() {
  const { busyId, perform } = useActions('files')

  return {
    busyId,
    remove: ({ id, name }: Named) =>
      perform({
        id,
        question: {
          title: t('Delete {name}?', { name }),
          body: t(
            'All its versions go with it. Jobs that ended keep its name and figures, but cannot be printed again.',
          ),
          confirmLabel: t('Delete the file'),
          isDangerous: true,
        },
        call: () => api.call('DELETE /files/{id}', { params: { id } }),
        done: t('{name} is deleted', { name }),
        failed: t('{name} could not be deleted', { name }),
      }),
    addVersion: ({ id, name }: Named, content: File, signal: AbortSignal) =>
      perform({
        id,
        call: () => sendFile(content, { signal, onProgress: () => undefined }, id),
        done: t('{name} has a new version', { name }),
        failed: t('{name} could not be added to {file}', { name: content.name, file: name }),
      }),
    makeCurrent: ({ id, name }: Named, version: number) =>
      perform({
        id,
        call: () =>
          api.call('PUT /files/{id}/versions/{version}/current', { params: { id, version: String(version) } }),
        done: t('New jobs print version {version} of {name}', { version, name }),
        failed: t('Version {version} could not be made the current one', { version }),
      }),
  }
}

export type FileActions = ReturnType<typeof useFileActions>
