// Posts the response to the app (OAuth 2.0 Form Post Response Mode §2). Without scripts, the person
// presses the button.
document.querySelector('form[data-response-to-app]').requestSubmit();
