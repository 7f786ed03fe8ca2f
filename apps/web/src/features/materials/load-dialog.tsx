import { Modal, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FilamentSpool } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { nameOf } from './material-kinds.ts'
import { changeMaterial } from './materials.api.ts'

interface LoadDialogProps {
  spool: FilamentSpool
  printers: readonly { value: string; label: string }[]
  /** Chooses a slot of a printer. */
  slotInput: (props: { printerId: string; value: number; onChange: (slot: number) => void }) => ReactNode
  onClose: () => void
}

/** Says in which slot of which printer a spool is. What was in the slot comes off. */
export function LoadDialog({ spool, printers, slotInput, onClose }: LoadDialogProps) {
  const queryClient = useQueryClient()
  const name = nameOf(spool)
  const form = useForm({
    initialValues: { printer_id: spool.printer_id, slot: spool.slot ?? 0 },
    validate: { printer_id: (id) => (id === null ? t('Choose a printer') : null) },
  })
  const { printer_id: printerId, slot } = form.values
  const save = useMutation({
    mutationFn: (body: typeof form.values) => changeMaterial('filament', spool.id, body),
    onSettled: () => {
      for (const key of ['materials', 'printers']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: () => t('{name} is loaded', { name }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Load {name}', { name })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t('No command is sent to the printer: enter the filament that you loaded, or found in it.')}
          </Text>
          <Select
            label={t('Printer')}
            placeholder={t('Choose a printer')}
            data={[...printers]}
            searchable
            withAsterisk
            data-autofocus
            nothingFoundMessage={t('No printer of this name')}
            {...form.getInputProps('printer_id')}
          />
          {printerId !== null &&
            slotInput({ printerId, value: slot, onChange: (chosen) => form.setFieldValue('slot', chosen) })}
          <FormButtons label={t('It is loaded')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
