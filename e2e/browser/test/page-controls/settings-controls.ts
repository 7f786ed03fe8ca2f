import { acts, manages, managing, moreRows, owns, ownsTheFarm, type PageControls, reads, seldom } from './control.ts'

const settingsSide = [
  ...reads('Profile', 'Sessions', 'Notifications', 'Account', 'Members', 'Task assignment', 'Shifts'),
  manages('Costs', 'GET /costs/settings'),
  manages('Shops', 'GET /shops'),
  manages('Spoolman', 'GET /spoolman'),
  manages('Home Assistant', 'GET /mqtt/broker'),
  manages('API keys', 'GET /api-keys'),
  manages('Webhooks', 'GET /webhooks'),
  manages('Automation', 'GET /automation-rules'),
  manages('Backups', 'GET /backups'),
  ownsTheFarm('Leave and arrive'),
  manages('Audit log', 'GET /audit'),
]

const profile = [
  ...settingsSide,
  ...reads('Email', 'Present password', 'New password', 'Show the password'),
  owns('Name', 'PUT /profile'),
  owns('Language', 'PUT /profile'),
  owns('Save', 'PUT /profile'),
  owns('Change the password', 'PUT /password'),
  owns('Add an authenticator app', 'POST /totp', 'POST /totp/confirm'),
  seldom(owns('New backup codes', 'POST /totp/backup-codes')),
  seldom(owns('Remove the app', 'POST /totp/remove')),
  // Where the service is opened by a name that browsers use passkeys for.
  seldom(owns('Add a passkey', 'POST /passkeys/options', 'POST /passkeys')),
  seldom(owns(/^Rename the passkey /, 'PATCH /passkeys/{id}')),
  seldom(owns(/^Remove the passkey /, 'DELETE /passkeys/{id}')),
]

/** Settings of the account and of its people. */
export const settingsControls: PageControls = {
  '/settings/': [{ controls: profile }],
  '/settings/profile': [{ controls: profile }],
  '/settings/account': [
    {
      controls: [
        ...settingsSide,
        manages('Name of the farm', 'PATCH /account'),
        manages('Time zone', 'PATCH /account'),
        manages(/^Print rejected units again/, 'PATCH /account'),
        manages(/^Members need a second factor/, 'PATCH /account'),
        acts(/^Working hours/, 'PATCH /scheduler/settings'),
        acts('Printers that heat up at once', 'PATCH /scheduler/settings'),
        acts('Least time between two starts, in seconds', 'PATCH /scheduler/settings'),
        acts('Currency', 'PATCH /orders/settings'),
        acts('Handling days', 'PATCH /orders/settings'),
        acts('Automatic production for orders', 'PATCH /orders/settings'),
        acts(/^Ship lines as they become ready/, 'PATCH /orders/settings'),
        acts(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/, 'PATCH /orders/settings'),
        acts('Save', 'PATCH /scheduler/settings', 'PATCH /orders/settings'),
      ],
    },
  ],
  '/settings/members': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Invite a person', 'POST /invitations', 'GET /invitations'),
        manages(/^Withdraw the invitation of /, 'DELETE /invitations/{id}'),
        // Everybody has a row of their own, from which they may leave.
        owns('Change You'),
        owns('Leave this account', 'DELETE /members/{id}'),
        {
          name: 'Change Colleague',
          who: managing,
          calls: [
            'PATCH /members/{id}',
            'DELETE /members/{id}',
            'POST /members/{id}/reset-link',
            'DELETE /members/{id}/sessions',
          ],
          of: 'colleagueMemberId',
        },
        {
          name: 'Change Owner',
          who: ['owner'],
          calls: [
            'PATCH /members/{id}',
            'DELETE /members/{id}',
            'POST /members/{id}/reset-link',
            'DELETE /members/{id}/sessions',
          ],
          of: 'ownerMemberId',
        },
        manages('Change the role', 'PATCH /members/{id}'),
        manages('Link for a new password', 'POST /members/{id}/reset-link'),
        manages('End all sessions', 'DELETE /members/{id}/sessions'),
        manages('Remove'),
      ],
    },
  ],
  '/settings/api-keys': [
    {
      controls: [
        ...settingsSide,
        manages('Make an API key', 'POST /api-keys'),
        manages(/^Revoke the key /, 'DELETE /api-keys/{id}'),
        seldom(manages('Show more')),
      ],
    },
  ],
  '/settings/webhooks': [{ controls: [...settingsSide, moreRows, manages('Add a webhook', 'POST /webhooks')] }],
  '/settings/webhooks/$webhookId': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        ...['All', 'Waiting', 'Delivered', 'Failed'].map((name) => manages(name, 'GET /webhooks/{id}/deliveries')),
        manages('Send a test call', 'POST /webhooks/{id}/test'),
        manages(/^(Pause|Resume)$/, 'PATCH /webhooks/{id}'),
        manages(/^More about the webhook to /),
        manages('Change…', 'PATCH /webhooks/{id}'),
        manages('Redeliver a stretch of time…', 'POST /webhooks/{id}/redeliver'),
        manages('New secret…', 'POST /webhooks/{id}/rotate-secret'),
        manages('Delete…', 'DELETE /webhooks/{id}'),
        manages(/^Redeliver .* of /, 'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver'),
      ],
    },
  ],
  '/settings/home-assistant': [
    {
      controls: [
        ...settingsSide,
        seldom(manages('Set up a broker', 'PATCH /mqtt/broker')),
        seldom(manages('Test the connection', 'POST /mqtt/broker/test')),
        seldom(manages('Change…', 'PATCH /mqtt/broker')),
        seldom(manages(/^Switch (on|off)$/, 'PATCH /mqtt/broker')),
        seldom(manages('Remove…', 'DELETE /mqtt/broker')),
        seldom(manages('Add a smart plug', 'POST /smart-plugs')),
        seldom(manages(/^More about the plug of /)),
        seldom(manages(/^Switch (on|off…)$/, 'POST /smart-plugs/{id}/switch')),
        seldom(manages('Change…', 'PATCH /smart-plugs/{id}')),
        seldom(manages('Remove…', 'DELETE /smart-plugs/{id}')),
      ],
    },
  ],
  '/settings/shops': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Connect a shop', 'POST /shops'),
        seldom(manages(/not (recorded|taken)/, 'GET /shops/{id}/troubles')),
        seldom(manages(/^More about the shop /)),
        seldom(manages('Test the connection', 'POST /shops/{id}/test')),
        seldom(manages('Read now', 'POST /shops/{id}/read')),
        seldom(manages('Change…', 'PATCH /shops/{id}')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /shops/{id}')),
        seldom(manages('Let Printyard in at Etsy…', 'POST /shops/{id}/authorise', 'POST /shops/authorised')),
        seldom(manages('Disconnect…', 'DELETE /shops/{id}')),
      ],
    },
  ],
  '/settings/spoolman': [
    {
      controls: [
        ...settingsSide,
        manages('Connect Spoolman', 'POST /spoolman'),
        manages('Test the connection', 'POST /spoolman/test'),
        manages('Address of Spoolman'),
        manages('Leading system'),
        manages(/^Report the usage of prints to Spoolman/),
        seldom(manages('Save', 'PATCH /spoolman')),
        seldom(manages('Read now', 'POST /spoolman/read')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /spoolman')),
        seldom(manages('Disconnect…', 'DELETE /spoolman')),
        seldom(manages(/^(Report it again|It is there)$/, 'POST /spoolman/usages/{id}/settle', 'GET /spoolman/usages')),
      ],
    },
  ],
  '/settings/notifications': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        owns('Notify me on this device', 'GET /push-key', 'POST /push-devices'),
        seldom(owns('Send a test', 'POST /push-devices/{id}/test', 'POST /notification-channels/{id}/test')),
        seldom(owns('Remove', 'DELETE /push-devices/{id}')),
        manages('Add a channel', 'POST /notification-channels'),
        manages('Add a rule', 'POST /notification-rules'),
        ...['All', 'Waiting', 'Sent', 'Failed'].map((name) => manages(name, 'GET /notifications')),
        seldom(manages(/^More about the (channel|rule) /)),
        seldom(manages('Change…', 'PATCH /notification-rules/{id}')),
        seldom(manages(/^Turn (on|off)$/, 'PATCH /notification-rules/{id}')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /notification-channels/{id}')),
        seldom(manages('Delete…', 'DELETE /notification-rules/{id}', 'DELETE /notification-channels/{id}')),
      ],
    },
  ],
  '/settings/automation': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Add a rule', 'POST /automation-rules'),
        ...['All', 'Acted', 'On trial', 'Counted', 'Held back'].map((name) => manages(name, 'GET /automation-runs')),
        seldom(manages(/^More about the rule /)),
        seldom(manages('Change…', 'PATCH /automation-rules/{id}')),
        seldom(manages(/^(Turn on|Try it|Turn off)$/, 'PATCH /automation-rules/{id}')),
        seldom(manages('Delete…', 'DELETE /automation-rules/{id}')),
      ],
    },
  ],
  '/settings/sessions': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        owns('Sign out everywhere', 'POST /sign-out/everywhere'),
        owns(/^Sign out /, 'DELETE /sessions/{id}'),
      ],
    },
  ],
  '/settings/tasks': [
    {
      controls: [
        ...settingsSide,
        acts('Collecting prints', 'PUT /worklist/assignment-defaults'),
        acts('Changing filament', 'PUT /worklist/assignment-defaults'),
        acts('Quality checks', 'PUT /worklist/assignment-defaults'),
        acts('Assembly', 'PUT /worklist/assignment-defaults'),
        acts('Maintenance', 'PUT /worklist/assignment-defaults'),
        acts('All other tasks', 'PUT /worklist/assignment-defaults'),
      ],
    },
  ],
  '/settings/shifts': [
    {
      controls: [
        ...settingsSide,
        acts('I am on shift'),
        acts(/^For \d+ hours$/, 'POST /shifts/switch', 'DELETE /shifts/switch'),
        seldom(acts('I am off for the rest of this shift', 'POST /shifts/switch')),
        seldom(acts(/^(I am not on shift any more|I am there again)$/, 'DELETE /shifts/switch')),
        acts(/^Change the shifts of /, 'PUT /members/{id}/shifts'),
      ],
    },
  ],
  '/settings/costs': [
    {
      controls: [
        ...settingsSide,
        ...[
          'Currency of costs',
          'Watts of a printer',
          'Minutes for a plate',
          'Minutes to put a unit together',
          'Minutes for an order',
          'Add a filament type',
          'Add a fee',
          'Add a model',
          'Add a printer',
          'Save',
        ].map((name) => manages(name, 'PATCH /costs/settings')),
        manages(/^(Machine hour|Kilowatt hour|Hour of a person), in [A-Z]{3}$/, 'PATCH /costs/settings'),
      ],
    },
  ],
  '/settings/backups': [
    {
      controls: [
        ...settingsSide,
        manages('Back up now', 'POST /backups'),
        ...[/^A backup every day/, 'Hour of the day, in UTC', 'Days kept', 'Weeks kept', 'Months kept', 'Save'].map(
          (name) => manages(name, 'PATCH /backups/schedule'),
        ),
      ],
    },
  ],
  '/settings/leaving': [
    {
      controls: [
        ...settingsSide,
        ownsTheFarm('Copy'),
        { name: 'Download everything', who: ['owner'], calls: ['GET /account/export'] },
      ],
    },
  ],
  '/settings/audit': [
    {
      controls: [
        ...settingsSide,
        ...['Actor', 'Event', 'ID of the thing', 'From', 'To', 'Show more'].map((name) => manages(name, 'GET /audit')),
      ],
    },
  ],
}
