import { Button, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { onSignedOut } from '../../lib/api/api.ts'
import { t } from '../../lib/i18n/t.ts'
import { useSession } from '../../lib/session.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInForm } from './sign-in-form.tsx'

export interface SessionExpiredProps {
  /** The same person is signed in again. */
  onBack: () => void
  onLeave: () => void
}

/** Asks for the password over the open page when its session ends, so that nothing typed into the page is lost. */
export function SessionExpired({ onBack, onLeave }: SessionExpiredProps) {
  const { user } = useSession()
  const [isExpired, setIsExpired] = useState(false)
  useEffect(() => onSignedOut(() => setIsExpired(true)), [])
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
        <SignInForm
          email={user.email}
          onDone={() => {
            setIsExpired(false)
            onBack()
          }}
        >
          <PasskeyButton
            onDone={() => {
              setIsExpired(false)
              onBack()
            }}
          />
          <Button variant="subtle" onClick={onLeave}>
            {t('Sign in as another person')}
          </Button>
        </SignInForm>
      )}
    </Modal>
  )
}
