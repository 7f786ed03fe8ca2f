import { Button, Modal, Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { useSession } from '../../lib/session.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInForm } from './sign-in-form.tsx'

export interface SessionExpiredProps {
  isExpired: boolean
  /** The same person is signed in again. */
  onBack: () => void
  onLeave: () => void
}

/** Asks for the password over the open page when its session ends, so that nothing typed into the page is lost. */
export function SessionExpired({ isExpired, onBack, onLeave }: SessionExpiredProps) {
  const { user } = useSession()
  return (
    <Modal
      opened={isExpired}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('Your session has ended')}
    >
      <Text size="sm" mb="md">
        {t('Sign in again to go on where you were. What you typed is still here.')}
      </Text>
      {isExpired && (
        <SignInForm email={user.email} onDone={onBack}>
          <PasskeyButton onDone={onBack} />
          <Button variant="subtle" onClick={onLeave}>
            {t('Sign in as another person')}
          </Button>
        </SignInForm>
      )}
    </Modal>
  )
}
