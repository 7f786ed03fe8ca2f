import { Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'

interface PasswordDialogProps {
  title: string
  children: ReactNode
  /** The action. */
  label: string
  isDangerous?: boolean
  onClose: () => void
  /** Rejects with what the service says. */
  onPassword: (password: string) => Promise<unknown>
}

/** Asks for the password before something that a stranger at an open page must not do. */
export function PasswordDialog({ title, children, label, isDangerous, onClose, onPassword }: PasswordDialogProps) {
  const form = useForm({ mode: 'controlled', initialValues: { password: '' } })
  const check = useMutation({ mutationFn: onPassword })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: check,
    body: ({ password }) => password,
    fieldErrors: ({ code }) => (code === 'INVALID_CREDENTIALS' ? { password: 'This is not your password' } : undefined),
  })
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{children}</Text>
          <FormProblem problem={problem} />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('password')}
          />
          <FormButtons label={label} isBusy={check.isPending} isDangerous={isDangerous} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
