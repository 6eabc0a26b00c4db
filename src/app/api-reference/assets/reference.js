/* Shows the document in Swagger UI. Tokens and secrets are stored in this page only. */

const container = document.getElementById('reference');

const ui = SwaggerUIBundle({
  domNode: container,
  url: container.dataset.document,
  oauth2RedirectUrl: container.dataset.redirect,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The API ignores cookies. With credentials, the browser would ask for a password after a wrong
  // client secret.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  onComplete: () => ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true }),
});
