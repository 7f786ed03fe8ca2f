import { acts, owns, type PageControls, reads, seldom } from './control.ts'

/** Members choose their language in their profile. */
const ownAppearance = reads(/^Appearance: /)

/** Until the first print is done. */
const firstSteps = [
  ...reads('To the printers', 'Choose the file').map(seldom),
  seldom(acts('Take the sample', 'POST /files')),
  seldom(acts('Upload a file', 'POST /files')),
  seldom(acts('Add printers', 'POST /printers')),
  seldom(acts(/^Try with \d+ virtual printers$/, 'POST /printers')),
]

/** The overview, and what stands around every page. */
export const overviewControls: PageControls = {
  '/': [
    { controls: firstSteps },
    {
      within: '.shell-head',
      controls: [
        ...ownAppearance,
        ...reads('Find anything', /^Account menu of /, 'Profile and password', 'Documentation'),
        owns('Sign out', 'POST /sign-out'),
      ],
    },
    {
      within: '.shell-side',
      controls: reads(
        ...['Overview', 'Printers', 'Queue', 'Worklist', 'Orders', 'History', 'Files', 'Labels', 'Hubs', 'Settings'],
        ...['Products', 'Stock', 'Materials', 'Reports', 'Production', 'Assembly', 'Wiki'],
      ),
    },
  ],
}
