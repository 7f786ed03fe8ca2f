import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useAddHub } from './hubs.api.ts'
import { type JoinCode, JoinSteps } from './join-steps.tsx'

/** A name, then the code by which a machine joins. The dialog may be closed any time: the hub is there and waits. */
export function AddHubDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Add a hub')} size="lg">
      <AddHub onClose={onClose} />
    </Modal>
  )
}

function AddHub({ onClose }: { onClose: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '' } })
  const add = useAddHub()
  const [code, setCode] = useState<JoinCode>()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: add,
    body: ({ name }) => name,
    onDone: ({ id, ...made }) => setCode({ hub_id: id, ...made }),
  })

  if (code) {
    return (
      <Stack>
        <JoinSteps code={code} claimedBefore={null} onRenewed={setCode} />
        <Group justify="flex-end">
          <LinkButton to="/hubs/$hubId" params={{ hubId: code.hub_id }} variant="default">
            {t('Open the hub')}
          </LinkButton>
          <Button variant="default" onClick={onClose}>
            {t('Close')}
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t(
            'A hub is a small program on a machine in the network of your printers: a Raspberry Pi, a NAS, or this machine.',
          )}
        </Text>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Name')}
          description={t('Its location, such as Hall 1')}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        <FormButtons label={t('Make a join code')} isBusy={add.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
