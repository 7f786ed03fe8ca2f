import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'

interface PasswordDialogProps {
  title: string
  children: ReactNode
  /** The deed. */
  label: string
  isDangerous?: boolean
  onClose: () => void
  /** Rejects with what the service says. */
  onPassword: (password: string) => Promise<unknown>
}

/** Asks for the password before something that a stranger at an open page must not do. */
export function PasswordDialog({ title, children, label, isDangerous, onClose, onPassword }: PasswordDialogProps) {
  const form = useForm({ mode: 'controlled', initialValues: { password: '' } })
  const [problem, setProblem] = useState<Error>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = form.onSubmit(async ({ password }) => {
    setProblem(undefined)
    setIsBusy(true)
    try {
      await onPassword(password)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'INVALID_CREDENTIALS'
      if (isWrong) form.setErrors({ password: 'This is not your password' })
      else setProblem(showFieldErrors(form, error))
    } finally {
      setIsBusy(false)
    }
  })
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} {...(isDangerous && { color: 'red.9' })}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
