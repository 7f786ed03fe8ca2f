import { Modal, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { TagsField } from '../../../ui/forms/tags-field.tsx'
import { fileTagsQuery } from '../files.api.ts'

interface TagsDialogProps {
  file: Pick<PrintFile, 'id' | 'name' | 'tags'>
  onClose: () => void
}

/** Changes the tags of one file. */
export function TagsDialog({ file, onClose }: TagsDialogProps) {
  const queryClient = useQueryClient()
  const known = useQuery(fileTagsQuery()).data ?? []
  const [tags, setTags] = useState(file.tags)
  const save = useMutation({
    mutationFn: () => api.call('PATCH /files/{id}', { params: { id: file.id }, body: { tags } }),
    onSuccess: () => {
      toastDone(t('The tags of {name} are saved', { name: file.name }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['files'] }),
  })
  return (
    <Modal opened onClose={onClose} title={t('Tags of {name}', { name: file.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <FormProblem problem={save.error ?? undefined} />
          <TagsField
            label={t('Tags')}
            description={t('Choose one, or type a new one and press Enter')}
            data={known.map(({ tag }) => tag)}
            value={tags}
            onChange={setTags}
            maxTags={20}
            acceptValueOnBlur
            data-autofocus
          />
          <FormButtons label={t('Save')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
