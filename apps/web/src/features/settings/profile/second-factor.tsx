import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { DataOf } from '../../../lib/api/api-routes.ts'
import type { Session } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { CopyButton } from '../../../ui/codes/copy-button.tsx'
import { QrCode } from '../../../ui/codes/qr-code.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { useBeginTotp, useConfirmTotp, useRemoveTotp, useRenewBackupCodes } from '../settings.api.ts'
import { BackupCodes } from './backup-codes.tsx'

/** An authenticator app beside the password: added, removed, and the codes for who loses it. */
export function SecondFactor({ user }: { user: Session['user'] }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useBeginTotp()
  const remove = useRemoveTotp()
  const renew = useRenewBackupCodes()
  const { busyId, perform } = useActions()

  if (codes) return <BackupCodes codes={codes} onDone={() => setCodes(undefined)} />
  if (begin.data) {
    return (
      <ConfirmApp
        secret={begin.data}
        onCancel={begin.reset}
        onConfirmed={(made) => {
          setCodes(made)
          begin.reset()
        }}
      />
    )
  }
  const add = () => perform({ id: 'add', call: () => begin.mutateAsync(), failed: t('The app could not be added') })
  const renewCodes = () =>
    perform({
      id: 'renew',
      question: {
        title: t('Make new backup codes?'),
        body: t('The current codes stop working.'),
        confirmLabel: t('Make new codes'),
      },
      call: async () => setCodes((await renew.mutateAsync()).backup_codes),
      failed: t('No new codes were made'),
    })
  const removeApp = () =>
    perform({
      id: 'remove',
      question: {
        title: t('Remove the authenticator app?'),
        body: t('Its codes and the backup codes work no longer.'),
        confirmLabel: t('Remove the app'),
        isDangerous: true,
      },
      call: () => remove.mutateAsync(),
      done: t('The authenticator app is removed'),
      failed: t('The app could not be removed'),
    })
  return (
    <Stack gap="sm" align="flex-start">
      {user.totp_enabled ? (
        <StatusBadge tone="done">{t('On')}</StatusBadge>
      ) : (
        <StatusBadge tone="resting">{t('Off')}</StatusBadge>
      )}
      <Text size="sm" c="dimmed">
        {user.totp_enabled
          ? t('Signing in takes a code of your authenticator app, too.')
          : t('With an authenticator app, a stolen password alone is not enough to sign in.')}
      </Text>
      {user.totp_enabled ? (
        <Group gap="xs">
          <Button variant="default" loading={busyId === 'renew'} onClick={() => void renewCodes()}>
            {t('New backup codes')}
          </Button>
          <Button variant="default" loading={busyId === 'remove'} onClick={() => void removeApp()}>
            {t('Remove the app')}
          </Button>
        </Group>
      ) : (
        <Button loading={busyId === 'add'} onClick={() => void add()}>
          {t('Add an authenticator app')}
        </Button>
      )}
    </Stack>
  )
}

interface ConfirmAppProps {
  secret: DataOf<'POST /totp'>
  onCancel: () => void
  onConfirmed: (codes: readonly string[]) => void
}

function ConfirmApp({ secret, onCancel, onConfirmed }: ConfirmAppProps) {
  const form = useForm({ mode: 'controlled', initialValues: { code: '' } })
  const confirm = useConfirmTotp()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: confirm,
    body: ({ code }) => code.replaceAll(/\s/g, ''),
    onDone: ({ backup_codes }) => onConfirmed(backup_codes),
    fieldErrors: ({ code }) =>
      code === 'CODE_INVALID' ? { code: t('This code is wrong. Is the clock of the phone right?') } : undefined,
  })
  return (
    <form onSubmit={submit}>
      <Stack align="flex-start">
        <Text size="sm">
          {t('Scan this with the app, or type the secret into it. Then enter the code that it shows.')}
        </Text>
        <QrCode text={secret.otpauth_url} label={t('QR code with the secret for the authenticator app')} />
        <Group gap="xs">
          <Code>{groupSecret(secret.secret)}</Code>
          <CopyButton value={secret.secret} size="xs">
            {t('Copy the secret')}
          </CopyButton>
        </Group>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={10}
          {...form.getInputProps('code')}
        />
        <Group gap="xs">
          <Button type="submit" loading={confirm.isPending}>
            {t('Confirm')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function groupSecret(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
