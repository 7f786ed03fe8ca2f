import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { DataOf } from '../../../lib/api/api-routes.ts'
import type { Session } from '../../../lib/api/api-schema.generated.ts'
import { CopyButton } from '../../../ui/codes/copy-button.tsx'
import { QrCode } from '../../../ui/codes/qr-code.tsx'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { useBeginTotp, useConfirmTotp, useRemoveTotp, useRenewBackupCodes } from '../settings.api.ts'
import { BackupCodes } from './backup-codes.tsx'
import { PasswordDialog } from './password-dialog.tsx'

type Asking = 'begin' | 'remove' | 'renew'

/** An authenticator app beside the password: added, removed, and the codes for whoever loses it. */
export function SecondFactor({ user }: { user: Session['user'] }) {
  const [asking, setAsking] = useState<Asking>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useBeginTotp()
  const remove = useRemoveTotp()
  const renew = useRenewBackupCodes()
  const close = () => setAsking(undefined)

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
  return (
    <Stack gap="sm" align="flex-start">
      {user.totp_enabled ? <StatusBadge tone="done">On</StatusBadge> : <StatusBadge tone="resting">Off</StatusBadge>}
      <Text size="sm" c="dimmed">
        {user.totp_enabled
          ? 'Signing in takes a code of your authenticator app, too.'
          : 'With an authenticator app, a stolen password alone lets nobody in.'}
      </Text>
      {user.totp_enabled ? (
        <Group gap="xs">
          <Button variant="default" onClick={() => setAsking('renew')}>
            New backup codes
          </Button>
          <Button variant="default" onClick={() => setAsking('remove')}>
            Remove the app
          </Button>
        </Group>
      ) : (
        <Button onClick={() => setAsking('begin')}>Add an authenticator app</Button>
      )}
      {asking === 'begin' && (
        <PasswordDialog
          title="Add an authenticator app"
          label="Go on"
          onClose={close}
          onPassword={(password) => begin.mutateAsync(password).then(close)}
        >
          Have the app on your phone ready.
        </PasswordDialog>
      )}
      {asking === 'renew' && (
        <PasswordDialog
          title="Make new backup codes?"
          label="Make new codes"
          onClose={close}
          onPassword={async (password) => {
            const { backup_codes } = await renew.mutateAsync(password)
            close()
            setCodes(backup_codes)
          }}
        >
          Those that you have now work no longer.
        </PasswordDialog>
      )}
      {asking === 'remove' && (
        <PasswordDialog
          title="Remove the authenticator app?"
          label="Remove the app"
          isDangerous
          onClose={close}
          onPassword={async (password) => {
            await remove.mutateAsync(password)
            close()
            toastDone('Signing in takes your password alone now')
          }}
        >
          From then on your password alone lets you in. The backup codes work no longer.
        </PasswordDialog>
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
      code === 'CODE_INVALID' ? { code: 'This code is wrong. Is the clock of the phone right?' } : undefined,
  })
  return (
    <form onSubmit={submit}>
      <Stack align="flex-start">
        <Text size="sm">Scan this with the app, or type the secret into it. Then enter the code that it shows.</Text>
        <QrCode text={secret.otpauth_url} label="QR code with the secret for the authenticator app" />
        <Group gap="xs">
          <Code>{groupSecret(secret.secret)}</Code>
          <CopyButton value={secret.secret} size="xs">
            Copy the secret
          </CopyButton>
        </Group>
        <FormProblem problem={problem} />
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={10}
          {...form.getInputProps('code')}
        />
        <Group gap="xs">
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function groupSecret(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
