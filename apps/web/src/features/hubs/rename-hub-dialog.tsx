import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Hub } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { useRenameHub } from './hubs.api.ts'

interface RenameHubDialogProps {
  hub: Pick<Hub, 'id' | 'name'>
  isOpen: boolean
  onClose: () => void
}

export function RenameHubDialog({ hub, isOpen, onClose }: RenameHubDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Rename {name}', { name: hub.name })}>
      <RenameHubForm hub={hub} onClose={onClose} />
    </Modal>
  )
}

function RenameHubForm({ hub, onClose }: Pick<RenameHubDialogProps, 'hub' | 'onClose'>) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: hub.name } })
  const rename = useRenameHub(hub.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: rename,
    body: ({ name }) => name,
    done: ({ name }) => t('The hub is called {name} now', { name }),
    onDone: onClose,
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Name')}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        <FormButtons label={t('Rename')} isBusy={rename.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
