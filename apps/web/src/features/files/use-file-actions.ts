import { api } from '../../lib/api/api.ts'
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
          title: `Delete ${name}?`,
          body: 'All its versions go with it. Jobs that ended keep its name and figures, but cannot be printed again.',
          confirmLabel: 'Delete the file',
          isDangerous: true,
        },
        call: () => api.call('DELETE /files/{id}', { params: { id } }),
        done: `${name} is deleted`,
        failed: `${name} could not be deleted`,
      }),
    addVersion: ({ id, name }: Named, content: File, signal: AbortSignal) =>
      perform({
        id,
        call: () => sendFile(content, { signal, onProgress: () => undefined }, id),
        done: `${name} has a new version`,
        failed: `${content.name} could not be added to ${name}`,
      }),
    makeCurrent: ({ id, name }: Named, version: number) =>
      perform({
        id,
        call: () =>
          api.call('PUT /files/{id}/versions/{version}/current', { params: { id, version: String(version) } }),
        done: `New jobs print version ${version} of ${name}`,
        failed: `Version ${version} could not be made the current one`,
      }),
  }
}

export type FileActions = ReturnType<typeof useFileActions>
