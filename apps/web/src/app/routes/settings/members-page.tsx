import { Button, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { InvitationTable } from '../../../features/settings/members/invitation-table.tsx'
import { InviteDialog } from '../../../features/settings/members/invite-dialog.tsx'
import { MemberTable } from '../../../features/settings/members/member-table.tsx'
import { invitationListQuery, memberListQuery } from '../../../features/settings/settings.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function MembersPage() {
  const list = useInfiniteQuery(memberListQuery())
  const mayInvite = useMay('admin')
  const [isInviting, { open, close }] = useDisclosure(false)
  return (
    <>
      <PageHeader
        title={t('Members')}
        description={t('Members of this account, and their roles.')}
        actions={
          mayInvite && (
            <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
              {t('Invite a person')}
            </Button>
          )
        }
      />
      <Stack>
        <QueryView query={list} failed={t('The members could not be read')}>
          {(data) => <MemberTable members={rowsOf(data) ?? []} isWhole={!list.hasNextPage} {...morePages(list)} />}
        </QueryView>
        {mayInvite && <OpenInvitations />}
      </Stack>
      {mayInvite && <InviteDialog isOpen={isInviting} onClose={close} />}
    </>
  )
}

function OpenInvitations() {
  const list = useInfiniteQuery(invitationListQuery())
  return (
    <QueryView query={list} failed={t('The invitations could not be read')}>
      {(data) => {
        const invitations = rowsOf(data) ?? []
        if (invitations.length === 0) return null
        return (
          <section aria-labelledby="open-invitations">
            <Title order={2} id="open-invitations" mb="xs">
              {t('Open invitations')}
            </Title>
            <InvitationTable invitations={invitations} {...morePages(list)} />
          </section>
        )
      }}
    </QueryView>
  )
}
