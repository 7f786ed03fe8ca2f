import { Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'

interface RenameDialogProps {
  file: Pick<PrintFile, 'id' | 'name' | 'number_of_units'>
  onClose: () => void
}

/** Changes the name of a file and how many pieces one print of it yields. */
export function RenameDialog({ file, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: file.name, number_of_units: file.number_of_units } })
  const save = useMutation({
    mutationFn: (body: typeof form.values) => api.call('PATCH /files/{id}', { params: { id: file.id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['files'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: ({ name }) => t('{name} is saved', { name }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Rename {name}', { name: file.name })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Name')} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
          <NumberInput
            label={t('Units per plate')}
            description={t('Pieces that one print yields')}
            min={1}
            max={100_000}
            allowDecimal={false}
            required
            {...form.getInputProps('number_of_units')}
          />
          <FormButtons label={t('Save')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
