import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { toastDone } from '../../ui/toast.tsx'

interface RenameDialogProps {
  file: Pick<PrintFile, 'id' | 'name' | 'number_of_units'>
  onClose: () => void
}

/** Changes the name of a file and how many pieces one print of it yields. */
export function RenameDialog({ file, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<Error>()
  const form = useForm({ initialValues: { name: file.name, number_of_units: file.number_of_units } })
  const save = useMutation({
    mutationFn: (body: typeof form.values) => api.call('PATCH /files/{id}', { params: { id: file.id }, body }),
    onSuccess: ({ name }) => {
      toastDone(`${name} is saved`)
      onClose()
    },
    onError: (error) => setProblem(showFieldErrors(form, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['files'] }),
  })
  return (
    <Modal opened onClose={onClose} title={`Rename ${file.name}`}>
      <form
        onSubmit={form.onSubmit((values) => {
          setProblem(undefined)
          save.mutate(values)
        })}
      >
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
          <NumberInput
            label="Units per plate"
            description="How many pieces one print yields"
            min={1}
            max={100_000}
            allowDecimal={false}
            required
            {...form.getInputProps('number_of_units')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
