import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { DataOf, Role } from '../../../lib/api/api-routes.ts'
import type { ResetLink } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { manageableRoles } from '../../../lib/roles.ts'
import { useSession } from '../../../lib/session.ts'
import { Secret } from '../../../ui/codes/secret.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useInvite } from '../settings.api.ts'
import { RoleInput } from './role-input.tsx'

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Invite a person')} size="lg">
      <Invite onClose={onClose} />
    </Modal>
  )
}

function Invite({ onClose }: { onClose: () => void }) {
  const { role: own } = useSession()
  const form = useForm<{ email: string; role: Role }>({
    mode: 'controlled',
    initialValues: { email: '', role: 'operator' },
  })
  const invite = useInvite()
  const { submit, problem } = useFormSubmit({ form, mutation: invite, body: (values) => values })

  if (invite.data) return <Invited invitation={invite.data} onClose={onClose} />
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput label={t('Email')} type="email" required data-autofocus {...form.getInputProps('email')} />
        <RoleInput
          choices={manageableRoles(own)}
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
          error={typeof form.errors.role === 'string' ? form.errors.role : undefined}
        />
        <FormButtons label={t('Invite')} isBusy={invite.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

function Invited({ invitation, onClose }: { invitation: DataOf<'POST /invitations'>; onClose: () => void }) {
  return (
    <Stack>
      <MadeLink link={invitation} label={t('Invitation link')} whom={invitation.email} />
      <Text size="sm" c="dimmed">
        {t('It works once, for seven days, for this address alone. Inviting the address again replaces it.')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  )
}

interface MadeLinkProps {
  link: Pick<ResetLink, 'url' | 'mailed'>
  label: string
  whom: string
}

/** A link that was mailed, or that anyone who made it passes on. */
export function MadeLink({ link, label, whom }: MadeLinkProps) {
  if (link.url !== undefined) {
    return (
      <>
        <Text size="sm">{t('No mail was sent. Give this link to {whom} yourself:', { whom })}</Text>
        <Secret label={label} value={link.url} />
      </>
    )
  }
  return (
    <Alert color="green" variant="light" icon={<Icon name="check" />} role="status">
      {t('The link was mailed to {whom}.', { whom })}
    </Alert>
  )
}
