import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { toastDone, toastFailed } from '../../ui/toast.tsx'
import { sendFile } from './send-file.ts'

interface Named {
  id: string
  name: string
}

/** What a person does with a file besides printing it. */
export function useFileActions() {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [busyId, setBusyId] = useState<string>()

  async function run(file: Named, call: () => Promise<unknown>, done: string, failed: string): Promise<boolean> {
    setBusyId(file.id)
    try {
      await call()
      toastDone(done)
      return true
    } catch (error) {
      toastFailed(failed, error)
      return false
    } finally {
      setBusyId(undefined)
      void queryClient.invalidateQueries({ queryKey: ['files'] })
    }
  }

  return {
    busyId,
    /** Answers whether it is gone. */
    async remove(file: Named): Promise<boolean> {
      const isSure = await confirm({
        title: `Delete ${file.name}?`,
        body: 'All its versions go with it. Jobs that ended keep its name and figures, but cannot be printed again.',
        confirmLabel: 'Delete the file',
        isDangerous: true,
      })
      if (!isSure) return false
      const call = () => api.call('DELETE /files/{id}', { params: { id: file.id } })
      return run(file, call, `${file.name} is deleted`, `${file.name} could not be deleted`)
    },
    addVersion(file: Named, content: File, signal: AbortSignal): Promise<boolean> {
      const call = () => sendFile(content, { signal, onProgress: () => undefined }, file.id)
      return run(file, call, `${file.name} has a new version`, `${content.name} could not be added to ${file.name}`)
    },
    makeCurrent(file: Named, version: number): Promise<boolean> {
      const params = { id: file.id, version: String(version) }
      const call = () => api.call('PUT /files/{id}/versions/{version}/current', { params })
      const done = `New jobs print version ${version} of ${file.name}`
      return run(file, call, done, `Version ${version} could not be made the current one`)
    },
  }
}

export type FileActions = ReturnType<typeof useFileActions>
