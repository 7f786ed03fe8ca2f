import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../lib/api/api-schema.generated.ts'
import { hasPasskeys } from '../../../lib/passkeys.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { passkeysQuery, useAddPasskey, useRemovePasskey, useRenamePasskey } from '../settings.api.ts'
import { deviceName } from './device-name.ts'

/** Keys of devices by which the person signs in without a password. */
export function Passkeys() {
  const query = useQuery(passkeysQuery())
  return (
    <QueryView query={query} failed="The passkeys could not be read">
      {({ available, passkeys }) => (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            A passkey is unlocked on your device and signs you in by itself. Once there is one, your password alone no
            longer does.
          </Text>
          {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} />}
          {available && hasPasskeys() ? (
            <AddPasskey />
          ) : (
            <Text size="sm" c="dimmed">
              Passkeys can be added where this service is opened by its public HTTPS name.
            </Text>
          )}
        </Stack>
      )}
    </QueryView>
  )
}

function PasskeyTable({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [renaming, setRenaming] = useState<string>()
  const columns: Column<Passkey>[] = [
    {
      key: 'name',
      label: 'Name',
      isTitle: true,
      cell: (passkey) =>
        passkey.id === renaming ? <Rename passkey={passkey} onDone={() => setRenaming(undefined)} /> : passkey.name,
    },
    { key: 'made', label: 'Added', cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    { key: 'used', label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      key: 'actions',
      label: '',
      align: 'right',
      cell: (passkey) => <PasskeyActions passkey={passkey} onRename={() => setRenaming(passkey.id)} />,
    },
  ]
  return <DataTable label="Passkeys" columns={columns} rows={passkeys} rowKey={({ id }) => id} />
}

function PasskeyActions({ passkey: { id, name }, onRename }: { passkey: Passkey; onRename: () => void }) {
  const remove = useRemovePasskey()
  const { busyId, perform } = useActions()
  const ask = () =>
    perform({
      id,
      question: {
        title: `Remove the passkey ${name}?`,
        body: 'It signs you in no longer. Remove it on the device, too.',
        confirmLabel: 'Remove the passkey',
        isDangerous: true,
      },
      call: () => remove.mutateAsync(id),
      done: `The passkey ${name} is removed`,
      failed: `The passkey ${name} could not be removed`,
    })
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" onClick={onRename} aria-label={`Rename the passkey ${name}`}>
        Rename
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={busyId === id}
        onClick={() => void ask()}
        aria-label={`Remove the passkey ${name}`}
      >
        Remove
      </Button>
    </Group>
  )
}

function Rename({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const form = useForm({ mode: 'controlled', initialValues: { name } })
  const rename = useRenamePasskey()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: rename,
    body: (values) => ({ id, name: values.name }),
    onDone,
  })
  return (
    <form onSubmit={submit}>
      <FormProblem problem={problem} />
      <Group gap="xs">
        <TextInput
          aria-label="Name of the passkey"
          required
          maxLength={100}
          autoFocus
          {...form.getInputProps('name')}
        />
        <Button type="submit" size="xs" loading={rename.isPending}>
          Save
        </Button>
      </Group>
    </form>
  )
}

function AddPasskey() {
  const add = useAddPasskey()
  const { busyId, perform } = useActions()
  const start = () =>
    perform({
      id: 'add',
      call: () => add.mutateAsync(deviceName(navigator.userAgent)),
      done: 'The passkey is added',
      failed: 'The passkey could not be added',
    })
  return (
    <Button loading={busyId === 'add'} onClick={() => void start()}>
      Add a passkey
    </Button>
  )
}
