import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import type { Sending } from '../../ui/lists/sent-progress.tsx'
import { addPicture } from './wiki.api.ts'

/** Pictures as the service takes them. */
export const pictureTypes = 'image/jpeg,image/png,image/webp,image/gif'

const picturesOf = (files: FileList | undefined) =>
  [...(files ?? [])].filter(({ type }) => pictureTypes.split(',').includes(type))

/**
 * What a field does with pictures that are pasted or dropped there: keeps them for the article, one after another, and hands on
 * their addresses. What is no picture is left to the field.
 */
export function usePictures(articleId: string, onPicture: (address: string, name: string) => void) {
  const [sending, setSending] = useState<Sending>()
  async function send(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const { name } = file
      setSending({ name })
      await addPicture(articleId, file, (sent) => setSending({ name, sent })).then(
        (address) => onPicture(address, file.name.replace(/\.\w+$/, '')),
        (error: unknown) => toastFailed(t('{name} could not be added', { name: file.name }), error),
      )
    }
    setSending(undefined)
  }
  function take(event: ClipboardEvent | DragEvent, files: FileList | undefined): void {
    const pictures = picturesOf(files)
    if (pictures.length === 0) return
    event.preventDefault()
    void send(pictures)
  }
  return {
    sending,
    send,
    handlers: {
      onPaste: (event: ClipboardEvent) => take(event, event.clipboardData.files),
      onDrop: (event: DragEvent) => take(event, event.dataTransfer.files),
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      },
    },
  }
}
