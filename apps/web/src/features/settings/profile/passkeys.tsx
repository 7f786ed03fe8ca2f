import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
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
    <QueryView query={query} failed={t('The passkeys could not be read')}>
      {({ available, passkeys }) => (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {t(
              'A passkey is unlocked on your device and signs you in by itself. Once there is one, your password alone no longer does.',
            )}
          </Text>
          {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} />}
          {available && hasPasskeys() ? (
            <AddPasskey />
          ) : (
            <Text size="sm" c="dimmed">
              {t('Passkeys can be added where this service is opened by its public HTTPS name.')}
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
      label: t('Name'),
      isTitle: true,
      cell: (passkey) =>
        passkey.id === renaming ? <Rename passkey={passkey} onDone={() => setRenaming(undefined)} /> : passkey.name,
    },
    { key: 'made', label: t('Added'), cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    { key: 'used', label: t('Last used'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      key: 'actions',
      label: '',
      align: 'right',
      cell: (passkey) => <PasskeyActions passkey={passkey} onRename={() => setRenaming(passkey.id)} />,
    },
  ]
  return <DataTable label={t('Passkeys')} columns={columns} rows={passkeys} rowKey={({ id }) => id} />
}

function PasskeyActions({ passkey: { id, name }, onRename }: { passkey: Passkey; onRename: () => void }) {
  const remove = useRemovePasskey()
  const { busyId, perform } = useActions()
  const ask = () =>
    perform({
      id,
      question: {
        title: t('Remove the passkey {name}?', { name }),
        body: t('It signs you in no longer. Remove it on the device, too.'),
        confirmLabel: t('Remove the passkey'),
        isDangerous: true,
      },
      call: () => remove.mutateAsync(id),
      done: t('The passkey {name} is removed', { name }),
      failed: t('The passkey {name} could not be removed', { name }),
    })
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" onClick={onRename} aria-label={t('Rename the passkey {name}', { name })}>
        {t('Rename')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={busyId === id}
        onClick={() => void ask()}
        aria-label={t('Remove the passkey {name}', { name })}
      >
        {t('Remove')}
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
          aria-label={t('Name of the passkey')}
          required
          maxLength={100}
          autoFocus
          {...form.getInputProps('name')}
        />
        <Button type="submit" size="xs" loading={rename.isPending}>
          {t('Save')}
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
      done: t('The passkey is added'),
      failed: t('The passkey could not be added'),
    })
  return (
    <Button loading={busyId === 'add'} onClick={() => void start()}>
      {t('Add a passkey')}
    </Button>
  )
}
