// A website with golang.org/x/oauth2 and go-oidc: signs people in, and keeps their session.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// A sign-in that waits for its callback, found by its state.
type pendingSignIn struct{ nonce, codeVerifier string }

// The session of a person, found by the cookie.
type session struct {
	Name       string `json:"name"`
	Username   string `json:"preferred_username"`
	UserinfoID string `json:"userinfo_sub"`
	Refreshed  bool   `json:"refreshed"`
}

var (
	provider *oidc.Provider
	config   oauth2.Config
	pending  = map[string]pendingSignIn{}
	sessions = map[string]session{}
)

func main() {
	site := "http://" + os.Getenv("ADDRESS")
	var err error
	if provider, err = oidc.NewProvider(context.Background(), os.Getenv("ISSUER")); err != nil {
		log.Fatal(err)
	}
	config = oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  site + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "markers:read"},
		Endpoint:     provider.Endpoint(),
	}
	http.HandleFunc("/login", logIn)
	http.HandleFunc("/callback", handleCallback)
	http.HandleFunc("/me", showSession)
	log.Fatal(http.ListenAndServe(os.Getenv("ADDRESS"), nil))
}

func logIn(response http.ResponseWriter, request *http.Request) {
	state, nonce, codeVerifier := random(), random(), random()
	pending[state] = pendingSignIn{nonce, codeVerifier}
	digest := sha256.Sum256([]byte(codeVerifier))
	challenge := base64.RawURLEncoding.EncodeToString(digest[:])
	http.Redirect(response, request, config.AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", challenge),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")), http.StatusFound)
}

func handleCallback(response http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	signIn, found := pending[query.Get("state")]
	delete(pending, query.Get("state"))
	if !found {
		http.Error(response, "unknown state", http.StatusBadRequest)
		return
	}
	created, err := createSession(request.Context(), query.Get("code"), signIn)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadGateway)
		return
	}
	id := random()
	sessions[id] = created
	http.SetCookie(response, &http.Cookie{Name: "session", Value: id, HttpOnly: true})
	http.Redirect(response, request, "/me", http.StatusFound)
}

// Exchanges the code, verifies the ID token, and refreshes the access token once.
func createSession(ctx context.Context, code string, signIn pendingSignIn) (created session, err error) {
	token, err := config.Exchange(ctx, code, oauth2.SetAuthURLParam("code_verifier", signIn.codeVerifier))
	if err != nil {
		return
	}
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken)
	if err != nil {
		return
	}
	if idToken.Nonce != signIn.nonce {
		return created, errors.New("the nonce differs")
	}
	if err = idToken.VerifyAccessToken(token.AccessToken); err != nil {
		return
	}
	if err = idToken.Claims(&created); err != nil {
		return
	}
	expired := *token
	expired.Expiry = time.Now().Add(-time.Minute)
	source := config.TokenSource(ctx, &expired)
	refreshed, err := source.Token()
	if err != nil {
		return
	}
	created.Refreshed = refreshed.AccessToken != token.AccessToken && refreshed.RefreshToken != token.RefreshToken
	userinfo, err := provider.UserInfo(ctx, source)
	if err == nil {
		created.UserinfoID = userinfo.Subject
	}
	return
}

func showSession(response http.ResponseWriter, request *http.Request) {
	cookie, err := request.Cookie("session")
	if err != nil {
		http.Error(response, "not signed in", http.StatusUnauthorized)
		return
	}
	response.Header().Set("Content-Type", "application/json")
	json.NewEncoder(response).Encode(sessions[cookie.Value])
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}
